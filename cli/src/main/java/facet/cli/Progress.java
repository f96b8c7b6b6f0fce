package facet.cli;

import java.io.PrintWriter;

/**
 * Tells how far a long command is, a line for each piece of work, and how long it may still take.
 */
final class Progress {
    private static final long SOON_NANOS = 2_000_000_000L;

    private int count;
    private int begun;
    private long start;

    /** So many pieces in all. */
    void expect(int pieces) {
        count = pieces;
        begun = 0;
        start = System.nanoTime();
    }

    void begin(PrintWriter err, String what) {
        long taken = System.nanoTime() - start;
        String left = "";
        if (begun > 0 && taken > SOON_NANOS) {
            long rest = taken / begun * (count - begun) / 1_000_000_000L;
            left = rest == 0 ? "" : "; about " + Units.seconds(rest) + " left";
        }
        begun++;
        err.printf("%d of %d: %s%s%n", begun, count, what, left);
        err.flush();
    }
}
