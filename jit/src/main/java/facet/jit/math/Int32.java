package facet.jit.math;

/**
 * u32 and s32 arithmetic, shifts and selection (PTX ISA 9.0, 9.7.1, 9.7.6, 9.7.8); bit fields and
 * bit searches are in {@link Bits32}, which this class extends so that generated code finds every
 * 32-bit operation here.
 *
 * <p>Division by zero, which PTX leaves unspecified, gives a quotient of all ones and the dividend
 * as remainder. The shift amounts of shl and shr are unsigned and clamp at the width.
 */
public final class Int32 extends Bits32 {
    private static final long MASK = 0xffff_ffffL;

    private Int32() {}

    public static int addSat(int a, int b) {
        return saturate((long) a + b);
    }

    public static int subSat(int a, int b) {
        return saturate((long) a - b);
    }

    public static int mulHiS32(int a, int b) {
        return (int) (mulWideS32(a, b) >> 32);
    }

    public static int mulHiU32(int a, int b) {
        return (int) (mulWideU32(a, b) >>> 32);
    }

    public static long mulWideS32(int a, int b) {
        return (long) a * b;
    }

    public static long mulWideU32(int a, int b) {
        return (a & MASK) * (b & MASK);
    }

    public static int madLo(int a, int b, int c) {
        return a * b + c;
    }

    public static int madHiS32(int a, int b, int c) {
        return mulHiS32(a, b) + c;
    }

    public static int madHiU32(int a, int b, int c) {
        return mulHiU32(a, b) + c;
    }

    public static int madHiSatS32(int a, int b, int c) {
        return saturate((long) mulHiS32(a, b) + c);
    }

    public static long madWideS32(int a, int b, long c) {
        return mulWideS32(a, b) + c;
    }

    public static long madWideU32(int a, int b, long c) {
        return mulWideU32(a, b) + c;
    }

    public static int mul24LoS32(int a, int b) {
        return (int) product24S(a, b);
    }

    public static int mul24LoU32(int a, int b) {
        return (int) product24U(a, b);
    }

    /** Bits 47..16 of the product. */
    public static int mul24HiS32(int a, int b) {
        return (int) (product24S(a, b) >> 16);
    }

    public static int mul24HiU32(int a, int b) {
        return (int) (product24U(a, b) >> 16);
    }

    public static int mad24LoS32(int a, int b, int c) {
        return mul24LoS32(a, b) + c;
    }

    public static int mad24LoU32(int a, int b, int c) {
        return mul24LoU32(a, b) + c;
    }

    public static int mad24HiS32(int a, int b, int c) {
        return mul24HiS32(a, b) + c;
    }

    public static int mad24HiU32(int a, int b, int c) {
        return mul24HiU32(a, b) + c;
    }

    public static int mad24HiSatS32(int a, int b, int c) {
        return saturate((long) mul24HiS32(a, b) + c);
    }

    public static int sadS32(int a, int b, int c) {
        return c + (a < b ? b - a : a - b);
    }

    public static int sadU32(int a, int b, int c) {
        return c + (Integer.compareUnsigned(a, b) < 0 ? b - a : a - b);
    }

    public static int divS32(int a, int b) {
        return b != 0 ? a / b : -1;
    }

    public static int divU32(int a, int b) {
        return b != 0 ? Integer.divideUnsigned(a, b) : -1;
    }

    public static int remS32(int a, int b) {
        return b != 0 ? a % b : a;
    }

    public static int remU32(int a, int b) {
        return b != 0 ? Integer.remainderUnsigned(a, b) : a;
    }

    public static int minS32(int a, int b) {
        return Math.min(a, b);
    }

    public static int maxS32(int a, int b) {
        return Math.max(a, b);
    }

    public static int minU32(int a, int b) {
        return Math.min(a ^ Integer.MIN_VALUE, b ^ Integer.MIN_VALUE) ^ Integer.MIN_VALUE;
    }

    public static int maxU32(int a, int b) {
        return Math.max(a ^ Integer.MIN_VALUE, b ^ Integer.MIN_VALUE) ^ Integer.MIN_VALUE;
    }

    public static int minReluS32(int a, int b) {
        return Math.max(Math.min(a, b), 0);
    }

    public static int maxReluS32(int a, int b) {
        return Math.max(Math.max(a, b), 0);
    }

    public static int absS32(int a) {
        return Math.abs(a);
    }

    public static int cnot(int a) {
        return a == 0 ? 1 : 0;
    }

    public static int shlB32(int a, int b) {
        return (b & ~31) == 0 ? a << b : 0;
    }

    public static int shrB32(int a, int b) {
        return shrU32(a, b);
    }

    public static int shrU32(int a, int b) {
        return (b & ~31) == 0 ? a >>> b : 0;
    }

    public static int shrS32(int a, int b) {
        return a >> ((b & ~31) == 0 ? b : 31);
    }

    public static int slctS32(int a, int b, int c) {
        return c >= 0 ? a : b;
    }

    public static int slctF32(int a, int b, float c) {
        return c >= 0 ? a : b;
    }

    private static long product24S(int a, int b) {
        return (long) (a << 8 >> 8) * (b << 8 >> 8);
    }

    private static long product24U(int a, int b) {
        return (a & 0xff_ffffL) * (b & 0xff_ffffL);
    }

    private static int saturate(long value) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
    }
}
