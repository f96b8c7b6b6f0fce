package facet.jit.matrix;

import jdk.internal.misc.Unsafe;

/**
 * Copies between arrays and memory of kernels.
 *
 * <p>SAFETY: the sizes are checked against the arrays here; addresses come from {@link
 * facet.jit.runtime.Ranges}, which has checked as many bytes.
 */
final class ArraysUnsafe {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private ArraysUnsafe() {}

    /** Words as pairs of halves, the low one first. */
    static void halves(int[] words, short[] into, int count) {
        java.util.Objects.checkFromIndexSize(0, count, into.length);
        java.util.Objects.checkFromIndexSize(0, (count + 1) / 2, words.length);
        UNSAFE.copyMemory(
                words,
                Unsafe.ARRAY_INT_BASE_OFFSET,
                into,
                Unsafe.ARRAY_SHORT_BASE_OFFSET,
                2L * count);
    }

    static void load(long raw, int[] into, int byteOffset, int bytes) {
        java.util.Objects.checkFromIndexSize(byteOffset, bytes, 4 * into.length);
        UNSAFE.copyMemory(null, raw, into, Unsafe.ARRAY_INT_BASE_OFFSET + byteOffset, bytes);
    }

    static void load(long raw, long[] into, int byteOffset, int bytes) {
        java.util.Objects.checkFromIndexSize(byteOffset, bytes, 8 * into.length);
        UNSAFE.copyMemory(null, raw, into, Unsafe.ARRAY_LONG_BASE_OFFSET + byteOffset, bytes);
    }

    static void store(int[] from, int byteOffset, long raw, int bytes) {
        java.util.Objects.checkFromIndexSize(byteOffset, bytes, 4 * from.length);
        UNSAFE.copyMemory(from, Unsafe.ARRAY_INT_BASE_OFFSET + byteOffset, null, raw, bytes);
    }

    static void store(long[] from, int byteOffset, long raw, int bytes) {
        java.util.Objects.checkFromIndexSize(byteOffset, bytes, 8 * from.length);
        UNSAFE.copyMemory(from, Unsafe.ARRAY_LONG_BASE_OFFSET + byteOffset, null, raw, bytes);
    }
}
