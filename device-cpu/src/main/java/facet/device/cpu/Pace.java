package facet.device.cpu;

/**
 * How long launches of a kernel took lately. Nobody knows how long the next one takes, but most
 * kernels are launched alike, and one that was held up says little: the shorter of the last two
 * counts. After one that was long in earnest it takes many short ones to be trusted again. Any
 * thread; who is too late counts for nothing.
 */
final class Pace {
    /** Less than it takes to wake a thread on another core. */
    private static final double SHORT_NANOS = 10_000;

    private static final int TRUST = 16;

    private volatile double recent = Double.POSITIVE_INFINITY;
    private volatile double before = Double.POSITIVE_INFINITY;
    private volatile long threads = 1;

    /** Short launches that are still to be seen. */
    private volatile int distrust;

    /** Whether a launch of so many threads is likely to be short. */
    boolean isShort(long count) {
        double nanos = Math.min(recent, before);
        return distrust == 0 && nanos * Math.max(1.0, (double) count / threads) <= SHORT_NANOS;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // see above
    void took(long count, long time) {
        before = recent;
        recent = time;
        threads = Math.max(1, count);
        if (time > Visit.LONG_NANOS) {
            distrust = TRUST;
        } else if (distrust > 0) {
            distrust--;
        }
    }
}
