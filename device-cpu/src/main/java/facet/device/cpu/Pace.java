package facet.device.cpu;

/**
 * How long launches of a kernel took lately. Nobody knows how long the next one takes, but most
 * kernels are launched alike. Any thread; who is too late counts for nothing.
 */
final class Pace {
    /** Less than it takes to wake a thread on another core. */
    private static final double SHORT_NANOS = 10_000;

    private volatile double nanos = Double.POSITIVE_INFINITY;
    private volatile long threads = 1;

    /** Whether a launch of so many threads is likely to be short. */
    boolean isShort(long count) {
        return nanos * Math.max(1.0, (double) count / threads) <= SHORT_NANOS;
    }

    /** A long one counts at once, a short one little by little. */
    void took(long count, long time) {
        double before = nanos;
        nanos = time >= before || before > 1e6 ? time : before + (time - before) / 4;
        threads = Math.max(1, count);
    }
}
