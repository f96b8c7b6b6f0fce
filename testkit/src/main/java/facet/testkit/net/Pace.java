package facet.testkit.net;

/** A rate that connections share. */
final class Pace {
    private final long bytesPerSecond;
    private long free = System.nanoTime();

    Pace(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** When so many bytes have passed, if they come now. */
    synchronized long passed(int bytes) {
        long now = System.nanoTime();
        if (bytesPerSecond == 0) {
            return now;
        }
        free = Math.max(free, now) + (long) (bytes * 1e9 / bytesPerSecond);
        return free;
    }
}
