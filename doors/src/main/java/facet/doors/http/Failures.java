package facet.doors.http;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Tells what clients do wrong, but not more than so often: the log is not theirs to fill. */
final class Failures {
    private static final int MOST = 5;
    private static final long PERIOD_NANOS = 60_000_000_000L;

    private final Consumer<String> out;
    private final LongSupplier clock;
    private long began;
    private int said;
    private long unsaid;

    /**
     * @param out for lines
     * @param clock in nanoseconds
     */
    Failures(Consumer<String> out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
        this.began = clock.getAsLong();
    }

    /**
     * @param peer its address
     * @param what without anything secret
     */
    void add(String peer, String what) {
        add("refused " + peer + ": " + what);
    }

    synchronized void add(String text) {
        long now = clock.getAsLong();
        if (now - began >= PERIOD_NANOS) {
            began = now;
            said = 0;
        }
        if (said == MOST) {
            unsaid++;
            return;
        }
        said++;
        String more = unsaid == 0 ? "" : "; " + unsaid + " more before";
        unsaid = 0;
        out.accept(text + more);
    }
}
