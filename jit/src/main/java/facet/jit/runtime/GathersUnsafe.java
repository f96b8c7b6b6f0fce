package facet.jit.runtime;

import static facet.jit.runtime.AccessUnsafe.UNSAFE;

/**
 * Loads and stores of a row whose lanes are apart in memory, one after the other but checked
 * together. Values are in arrays, a vector's from an index on. Loops of a known length, which C2
 * unrolls.
 *
 * <p>SAFETY: generated code has seen with {@link #isStrided} that every lane may do its access;
 * else it goes lane by lane with the checks of {@link AccessUnsafe}.
 */
public final class GathersUnsafe {
    private static final int LANES = Lanes.COUNT;

    private GathersUnsafe() {}

    /** Whether lanes that are so far from each other are inside and aligned, all of them. */
    public static boolean isStrided(
            long address, long base, long size, int width, int stride, int lanes) {
        long last = address + (long) stride * (lanes - 1); // bounded: a stride is below 2^20
        return ((address | stride) & (width - 1)) == 0
                && Long.compareUnsigned(address - base, size) < 0
                && Long.compareUnsigned(last - base, size) < 0;
    }

    public static void stridedU8(long raw, int stride, int[] into, int at) {
        for (int i = 0; i < LANES; i++) {
            into[at + i] = UNSAFE.getByte(null, raw + (long) i * stride) & 0xff;
        }
    }

    public static void stridedS8(long raw, int stride, int[] into, int at) {
        for (int i = 0; i < LANES; i++) {
            into[at + i] = UNSAFE.getByte(null, raw + (long) i * stride);
        }
    }

    public static void stridedU16(long raw, int stride, int[] into, int at) {
        for (int i = 0; i < LANES; i++) {
            into[at + i] = UNSAFE.getChar(null, raw + (long) i * stride);
        }
    }

    public static void stridedS16(long raw, int stride, int[] into, int at) {
        for (int i = 0; i < LANES; i++) {
            into[at + i] = UNSAFE.getShort(null, raw + (long) i * stride);
        }
    }

    public static void stridedU32(long raw, int stride, int[] into, int at) {
        for (int i = 0; i < LANES; i++) {
            into[at + i] = UNSAFE.getInt(null, raw + (long) i * stride);
        }
    }

    public static void strew8(long raw, int stride, int[] values, int at) {
        for (int i = 0; i < LANES; i++) {
            UNSAFE.putByte(null, raw + (long) i * stride, (byte) values[at + i]);
        }
    }

    public static void strew16(long raw, int stride, int[] values, int at) {
        for (int i = 0; i < LANES; i++) {
            UNSAFE.putShort(null, raw + (long) i * stride, (short) values[at + i]);
        }
    }

    public static void strew32(long raw, int stride, int[] values, int at) {
        for (int i = 0; i < LANES; i++) {
            UNSAFE.putInt(null, raw + (long) i * stride, values[at + i]);
        }
    }
}
