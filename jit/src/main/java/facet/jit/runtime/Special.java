package facet.jit.runtime;

/** Values of predefined registers that are computed where they are read. */
public final class Special {
    private static final long EPOCH = System.currentTimeMillis() * 1_000_000 - System.nanoTime();

    private Special() {}

    public static int equal(int thread) {
        return 1 << (thread & 31);
    }

    public static int less(int thread) {
        return (1 << (thread & 31)) - 1;
    }

    public static int lessOrEqual(int thread) {
        return equal(thread) | less(thread);
    }

    public static int greaterOrEqual(int thread) {
        return ~less(thread);
    }

    public static int greater(int thread) {
        return ~lessOrEqual(thread);
    }

    /** The clock counts at 1 GHz. */
    public static long clock64() {
        return System.nanoTime();
    }

    public static int clock() {
        return (int) System.nanoTime();
    }

    public static int clockHigh() {
        return (int) (System.nanoTime() >>> 32);
    }

    /** Nanoseconds since 1970, by a clock that does not go back. */
    public static long globalTimer() {
        return System.nanoTime() + EPOCH;
    }

    public static int globalTimerLow() {
        return (int) globalTimer();
    }

    public static int globalTimerHigh() {
        return (int) (globalTimer() >>> 32);
    }
}
