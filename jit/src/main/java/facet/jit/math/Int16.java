package facet.jit.math;

/**
 * u16 and s16 arithmetic (PTX ISA 9.0, 9.7.1). Operands and 16-bit results are zero-extended; the
 * 32-bit results of mul.wide and mad.wide are plain ints.
 *
 * <p>Division by zero, which PTX leaves unspecified, gives a quotient of all ones and the dividend
 * as remainder.
 */
public final class Int16 {
    private static final int MASK = 0xffff;

    private Int16() {}

    public static int add(int a, int b) {
        return (a + b) & MASK;
    }

    public static int sub(int a, int b) {
        return (a - b) & MASK;
    }

    public static int neg(int a) {
        return -a & MASK;
    }

    public static int not(int a) {
        return ~a & MASK;
    }

    public static int cnot(int a) {
        return a == 0 ? 1 : 0;
    }

    public static int mulLo(int a, int b) {
        return (a * b) & MASK;
    }

    public static int mulHiS16(int a, int b) {
        return (mulWideS16(a, b) >>> 16) & MASK;
    }

    public static int mulHiU16(int a, int b) {
        return (a * b) >>> 16;
    }

    public static int mulWideS16(int a, int b) {
        return (short) a * (short) b;
    }

    public static int mulWideU16(int a, int b) {
        return a * b;
    }

    public static int madLo(int a, int b, int c) {
        return (a * b + c) & MASK;
    }

    public static int madHiS16(int a, int b, int c) {
        return (mulHiS16(a, b) + c) & MASK;
    }

    public static int madHiU16(int a, int b, int c) {
        return (mulHiU16(a, b) + c) & MASK;
    }

    public static int madWideS16(int a, int b, int c) {
        return (short) a * (short) b + c;
    }

    public static int madWideU16(int a, int b, int c) {
        return a * b + c;
    }

    public static int sadS16(int a, int b, int c) {
        return (c + Math.abs((short) a - (short) b)) & MASK;
    }

    public static int sadU16(int a, int b, int c) {
        return (c + Math.abs(a - b)) & MASK;
    }

    public static int divS16(int a, int b) {
        return b != 0 ? ((short) a / (short) b) & MASK : MASK;
    }

    public static int divU16(int a, int b) {
        return b != 0 ? a / b : MASK;
    }

    public static int remS16(int a, int b) {
        return b != 0 ? ((short) a % (short) b) & MASK : a;
    }

    public static int remU16(int a, int b) {
        return b != 0 ? a % b : a;
    }

    public static int minS16(int a, int b) {
        return (short) a < (short) b ? a : b;
    }

    public static int maxS16(int a, int b) {
        return (short) a > (short) b ? a : b;
    }

    public static int minU16(int a, int b) {
        return Math.min(a, b);
    }

    public static int maxU16(int a, int b) {
        return Math.max(a, b);
    }

    public static int absS16(int a) {
        return Math.abs((short) a) & MASK;
    }

    public static int shlB16(int a, int b) {
        return (b & ~15) == 0 ? (a << b) & MASK : 0;
    }

    public static int shrB16(int a, int b) {
        return shrU16(a, b);
    }

    public static int shrU16(int a, int b) {
        return (b & ~15) == 0 ? a >>> b : 0;
    }

    public static int shrS16(int a, int b) {
        return ((short) a >> ((b & ~15) == 0 ? b : 15)) & MASK;
    }

    public static int slctS32(int a, int b, int c) {
        return c >= 0 ? a : b;
    }

    public static int slctF32(int a, int b, float c) {
        return c >= 0 ? a : b;
    }
}
