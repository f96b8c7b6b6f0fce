package facet.jit.runtime;

import static facet.jit.runtime.AccessUnsafe.UNSAFE;

/**
 * Atomic operations on shared memory. One worker runs all threads of a block, and of its cluster,
 * so that a plain read and write are atomic; what is not here takes {@link AtomicsUnsafe}.
 *
 * <p>SAFETY: addresses come from {@link AccessUnsafe}'s checks.
 */
public final class SharedAtomicsUnsafe {
    private SharedAtomicsUnsafe() {}

    public static int addB32(long raw, int value) {
        int old = UNSAFE.getInt(null, raw);
        UNSAFE.putInt(null, raw, old + value);
        return old;
    }

    public static long addB64(long raw, long value) {
        long old = UNSAFE.getLong(null, raw);
        UNSAFE.putLong(null, raw, old + value);
        return old;
    }

    public static int addF32(long raw, int value) {
        float old = UNSAFE.getFloat(null, raw);
        UNSAFE.putFloat(null, raw, old + Float.intBitsToFloat(value));
        return Float.floatToRawIntBits(old);
    }

    public static int exchB32(long raw, int value) {
        int old = UNSAFE.getInt(null, raw);
        UNSAFE.putInt(null, raw, value);
        return old;
    }

    public static int casB32(long raw, int expected, int value) {
        int old = UNSAFE.getInt(null, raw);
        if (old == expected) {
            UNSAFE.putInt(null, raw, value);
        }
        return old;
    }

    public static int minS32(long raw, int value) {
        int old = UNSAFE.getInt(null, raw);
        UNSAFE.putInt(null, raw, Math.min(old, value));
        return old;
    }

    public static int maxS32(long raw, int value) {
        int old = UNSAFE.getInt(null, raw);
        UNSAFE.putInt(null, raw, Math.max(old, value));
        return old;
    }

    public static int andB32(long raw, int value) {
        int old = UNSAFE.getInt(null, raw);
        UNSAFE.putInt(null, raw, old & value);
        return old;
    }

    public static int orB32(long raw, int value) {
        int old = UNSAFE.getInt(null, raw);
        UNSAFE.putInt(null, raw, old | value);
        return old;
    }

    public static int xorB32(long raw, int value) {
        int old = UNSAFE.getInt(null, raw);
        UNSAFE.putInt(null, raw, old ^ value);
        return old;
    }
}
