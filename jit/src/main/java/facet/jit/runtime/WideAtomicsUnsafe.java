package facet.jit.runtime;

import static facet.jit.runtime.AccessUnsafe.UNSAFE;

/**
 * Atomic operations on 128 bits. The JVM has none, so that they exclude each other by one lock, and
 * are atomic with respect to each other but not to narrower accesses of the same place.
 *
 * <p>SAFETY: addresses come from {@link AccessUnsafe}'s checks.
 */
public final class WideAtomicsUnsafe {
    private static final Object LOCK = new Object();

    private WideAtomicsUnsafe() {}

    /** The old value, low half first. */
    public static long[] exch(long raw, long low, long high) {
        synchronized (LOCK) {
            long[] old = read(raw);
            write(raw, low, high);
            return old;
        }
    }

    public static long[] cas(long raw, long expectedLow, long expectedHigh, long low, long high) {
        synchronized (LOCK) {
            long[] old = read(raw);
            if (old[0] == expectedLow && old[1] == expectedHigh) {
                write(raw, low, high);
            }
            return old;
        }
    }

    private static long[] read(long raw) {
        return new long[] {UNSAFE.getLong(null, raw), UNSAFE.getLong(null, raw + 8)};
    }

    private static void write(long raw, long low, long high) {
        UNSAFE.putLong(null, raw, low);
        UNSAFE.putLong(null, raw + 8, high);
    }
}
