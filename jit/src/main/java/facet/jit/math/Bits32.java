package facet.jit.math;

/** Bit fields, bit searches, funnel shifts and lop3 on 32 bits (PTX ISA 9.0, 9.7.1 and 9.7.8). */
public abstract sealed class Bits32 permits Int32 {
    Bits32() {}

    /** Field of c bits from bit b on; only the low 8 bits of b and c count. */
    public static int bfeU32(int a, int b, int c) {
        int position = b & 0xff;
        return position < 32 ? (a >>> position) & lowBits(c & 0xff) : 0;
    }

    /** A field that reaches beyond bit 31 is filled with the sign of a. */
    public static int bfeS32(int a, int b, int c) {
        int length = c & 0xff;
        int unused = 32 - Math.min(length, 32);
        int field = a >> Math.min(b & 0xff, 31);
        return length != 0 ? field << unused >> unused : 0;
    }

    public static int bfi(int a, int b, int c, int d) {
        int position = c & 0xff;
        int mask = position < 32 ? lowBits(d & 0xff) << position : 0;
        return b & ~mask | a << position & mask;
    }

    public static int popc(int a) {
        return Integer.bitCount(a);
    }

    public static int clz(int a) {
        return Integer.numberOfLeadingZeros(a);
    }

    public static int brev(int a) {
        return Integer.reverse(a);
    }

    /** −1 (0xffffffff) if there is no such bit, which is what 31 − 32 leading zeros gives. */
    public static int bfindU32(int a) {
        return 31 - Integer.numberOfLeadingZeros(a);
    }

    public static int bfindS32(int a) {
        return bfindU32(a ^ (a >> 31));
    }

    public static int bfindShiftamtU32(int a) {
        return a != 0 ? Integer.numberOfLeadingZeros(a) : -1;
    }

    public static int bfindShiftamtS32(int a) {
        return bfindShiftamtU32(a ^ (a >> 31));
    }

    /** The |offset|-th set bit from base on, upwards or (offset below 0) downwards; −1 if none. */
    public static int fns(int mask, int base, int offset) {
        if (offset == 0) {
            return (mask >>> base & 1) != 0 ? base : -1;
        }
        if (offset > 0) {
            return lowestAfter(mask & (-1 << base), offset);
        }
        int mirrored = lowestAfter(Integer.reverse(mask & (-1 >>> (31 - base))), -offset);
        return mirrored < 0 ? -1 : 31 - mirrored;
    }

    private static int lowestAfter(int bits, int count) {
        // −Integer.MIN_VALUE stays negative: unsigned, it is too many as well.
        if (Integer.compareUnsigned(count, Integer.bitCount(bits)) > 0) {
            return -1;
        }
        int rest = bits;
        for (int i = 1; i < count; i++) {
            rest &= rest - 1;
        }
        return Integer.numberOfTrailingZeros(rest);
    }

    /** Bit i of the table is the result for the inputs (a, b, c) read as the binary number i. */
    public static int lop3(int a, int b, int c, int lut) {
        int a0 =
                choose(b, choose(c, row(lut, 3), row(lut, 2)), choose(c, row(lut, 1), row(lut, 0)));
        int a1 =
                choose(b, choose(c, row(lut, 7), row(lut, 6)), choose(c, row(lut, 5), row(lut, 4)));
        return choose(a, a1, a0);
    }

    private static int row(int lut, int index) {
        return -(lut >>> index & 1);
    }

    private static int choose(int selector, int ones, int zeros) {
        return selector & ones | ~selector & zeros;
    }

    /** a holds the low word, b the high word. */
    public static int shfLClamp(int a, int b, int c) {
        return (int) (join(a, b) << clampTo32(c) >>> 32);
    }

    public static int shfLWrap(int a, int b, int c) {
        return (int) (join(a, b) << (c & 31) >>> 32);
    }

    public static int shfRClamp(int a, int b, int c) {
        return (int) (join(a, b) >>> clampTo32(c));
    }

    public static int shfRWrap(int a, int b, int c) {
        return (int) (join(a, b) >>> (c & 31));
    }

    public static int szextClampS32(int a, int b) {
        return (b & ~31) == 0 ? szextWrapS32(a, b) : a;
    }

    public static int szextClampU32(int a, int b) {
        return (b & ~31) == 0 ? szextWrapU32(a, b) : a;
    }

    public static int szextWrapS32(int a, int b) {
        int bits = b & 31;
        int unused = 32 - bits;
        return bits != 0 ? a << unused >> unused : 0;
    }

    public static int szextWrapU32(int a, int b) {
        return a & lowBits(b & 31);
    }

    public static int bmskClamp(int a, int b) {
        return (a & ~31) == 0 ? lowBits((b & ~31) == 0 ? b : 32) << a : 0;
    }

    public static int bmskWrap(int a, int b) {
        return lowBits(b & 31) << (a & 31);
    }

    private static int lowBits(int count) {
        return count < 32 ? (1 << count) - 1 : -1;
    }

    private static int clampTo32(int amount) {
        return (amount & ~31) == 0 ? amount : 32;
    }

    private static long join(int low, int high) {
        return (long) high << 32 | low & 0xffff_ffffL;
    }
}
