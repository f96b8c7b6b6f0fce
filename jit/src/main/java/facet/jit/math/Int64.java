package facet.jit.math;

/**
 * u64 and s64 arithmetic, shifts, bit fields and selection (PTX ISA 9.0, 9.7.1, 9.7.6, 9.7.8).
 * Positions, lengths, shift amounts and counts are ints.
 *
 * <p>Division by zero, which PTX leaves unspecified, gives a quotient of all ones and the dividend
 * as remainder. The shift amounts of shl and shr are unsigned and clamp at the width.
 */
public final class Int64 {
    private Int64() {}

    public static long mulHiS64(long a, long b) {
        return Math.multiplyHigh(a, b);
    }

    public static long mulHiU64(long a, long b) {
        return Math.unsignedMultiplyHigh(a, b);
    }

    public static long madLo(long a, long b, long c) {
        return a * b + c;
    }

    public static long madHiS64(long a, long b, long c) {
        return Math.multiplyHigh(a, b) + c;
    }

    public static long madHiU64(long a, long b, long c) {
        return Math.unsignedMultiplyHigh(a, b) + c;
    }

    public static long sadS64(long a, long b, long c) {
        return c + (a < b ? b - a : a - b);
    }

    public static long sadU64(long a, long b, long c) {
        return c + (Long.compareUnsigned(a, b) < 0 ? b - a : a - b);
    }

    public static long divS64(long a, long b) {
        return b != 0 ? a / b : -1;
    }

    public static long divU64(long a, long b) {
        return b != 0 ? Long.divideUnsigned(a, b) : -1;
    }

    public static long remS64(long a, long b) {
        return b != 0 ? a % b : a;
    }

    public static long remU64(long a, long b) {
        return b != 0 ? Long.remainderUnsigned(a, b) : a;
    }

    public static long minS64(long a, long b) {
        return Math.min(a, b);
    }

    public static long maxS64(long a, long b) {
        return Math.max(a, b);
    }

    public static long minU64(long a, long b) {
        return Math.min(a ^ Long.MIN_VALUE, b ^ Long.MIN_VALUE) ^ Long.MIN_VALUE;
    }

    public static long maxU64(long a, long b) {
        return Math.max(a ^ Long.MIN_VALUE, b ^ Long.MIN_VALUE) ^ Long.MIN_VALUE;
    }

    public static long absS64(long a) {
        return Math.abs(a);
    }

    public static long cnot(long a) {
        return a == 0 ? 1 : 0;
    }

    public static long shlB64(long a, int b) {
        return (b & ~63) == 0 ? a << b : 0;
    }

    public static long shrB64(long a, int b) {
        return shrU64(a, b);
    }

    public static long shrU64(long a, int b) {
        return (b & ~63) == 0 ? a >>> b : 0;
    }

    public static long shrS64(long a, int b) {
        return a >> ((b & ~63) == 0 ? b : 63);
    }

    /** Field of c bits from bit b on; only the low 8 bits of b and c count. */
    public static long bfeU64(long a, int b, int c) {
        int position = b & 0xff;
        return position < 64 ? (a >>> position) & lowBits(c & 0xff) : 0;
    }

    /** A field that reaches beyond bit 63 is filled with the sign of a. */
    public static long bfeS64(long a, int b, int c) {
        int length = c & 0xff;
        int unused = 64 - Math.min(length, 64);
        long field = a >> Math.min(b & 0xff, 63);
        return length != 0 ? field << unused >> unused : 0;
    }

    public static long bfi(long a, long b, int c, int d) {
        int position = c & 0xff;
        long mask = position < 64 ? lowBits(d & 0xff) << position : 0;
        return b & ~mask | a << position & mask;
    }

    public static int popc(long a) {
        return Long.bitCount(a);
    }

    public static int clz(long a) {
        return Long.numberOfLeadingZeros(a);
    }

    public static long brev(long a) {
        return Long.reverse(a);
    }

    /** −1 (0xffffffff) if there is no such bit, which is what 63 − 64 leading zeros gives. */
    public static int bfindU64(long a) {
        return 63 - Long.numberOfLeadingZeros(a);
    }

    public static int bfindS64(long a) {
        return bfindU64(a ^ (a >> 63));
    }

    public static int bfindShiftamtU64(long a) {
        return a != 0 ? Long.numberOfLeadingZeros(a) : -1;
    }

    public static int bfindShiftamtS64(long a) {
        return bfindShiftamtU64(a ^ (a >> 63));
    }

    public static long slctS32(long a, long b, int c) {
        return c >= 0 ? a : b;
    }

    public static long slctF32(long a, long b, float c) {
        return c >= 0 ? a : b;
    }

    private static long lowBits(int count) {
        return count < 64 ? (1L << count) - 1 : -1;
    }
}
