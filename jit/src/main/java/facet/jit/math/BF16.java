package facet.jit.math;

/**
 * bf16 arithmetic (PTX ISA 9.0, 9.7.4), on bit patterns zero-extended to int. A NaN result is the
 * canonical 0x7fff, except that neg and abs only touch the sign bit (PTX leaves their NaN open).
 *
 * <p>Sums and products round to float and then to bf16; 24 bits are at least 2*8+2, so rounding
 * twice equals rounding once (Figueroa), also among subnormals: there a sum is exact in float, and
 * a 16-bit product is exact or below half the smallest bf16. The addend of an fma may lie hundreds
 * of bits below the product, so that sum is rounded to odd first.
 *
 * <p>Comparisons are those of f32: every value is one of its values too.
 */
public final class BF16 {
    private static final int INFINITY = 0x7f80;

    /** The last bit of a double of this size has the weight of the smallest bf16, 2^-133. */
    private static final double SUBNORMAL_GRID = 0x1.8p-81;

    private BF16() {}

    public static float toFloat(int a) {
        return Float.intBitsToFloat(a << 16);
    }

    public static int fromFloatRn(float a) {
        int bits = Float.floatToRawIntBits(a);
        int rounded = (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
        return Float.isNaN(a) ? HalfWord.CANONICAL_NAN : rounded;
    }

    public static int fromFloatRz(float a) {
        return Float.isNaN(a) ? HalfWord.CANONICAL_NAN : Float.floatToRawIntBits(a) >>> 16;
    }

    public static int fromFloatRm(float a) {
        int nearest = fromFloatRn(a);
        return toFloat(nearest) > a ? HalfWord.down(nearest) : nearest;
    }

    public static int fromFloatRp(float a) {
        int nearest = fromFloatRn(a);
        return toFloat(nearest) < a ? HalfWord.up(nearest) : nearest;
    }

    public static int fromDoubleRn(double a) {
        if (Math.abs(a) < Float.MIN_NORMAL) {
            double onGrid = (a + SUBNORMAL_GRID) - SUBNORMAL_GRID;
            return fromFloatRn((float) Math.copySign(onGrid, a));
        }
        return fromFloatRn((float) Directed.oddTo24Bits(a));
    }

    public static int fromDoubleRz(double a) {
        int nearest = fromDoubleRn(a);
        return Math.abs(toFloat(nearest)) > Math.abs(a) ? HalfWord.towardsZero(nearest) : nearest;
    }

    public static int fromDoubleRm(double a) {
        int nearest = fromDoubleRn(a);
        return toFloat(nearest) > a ? HalfWord.down(nearest) : nearest;
    }

    public static int fromDoubleRp(double a) {
        int nearest = fromDoubleRn(a);
        return toFloat(nearest) < a ? HalfWord.up(nearest) : nearest;
    }

    public static int add(int a, int b) {
        return fromFloatRn(toFloat(a) + toFloat(b));
    }

    public static int sub(int a, int b) {
        return fromFloatRn(toFloat(a) - toFloat(b));
    }

    public static int mul(int a, int b) {
        return fromFloatRn(toFloat(a) * toFloat(b));
    }

    public static int fma(int a, int b, int c) {
        return fromDoubleRn(Directed.oddSum((double) toFloat(a) * toFloat(b), toFloat(c)));
    }

    public static int fmaRelu(int a, int b, int c) {
        return relu(fma(a, b, c));
    }

    public static int ftz(int a) {
        return (a & INFINITY) == 0 ? a & HalfWord.SIGN : a;
    }

    public static int min(int a, int b) {
        return HalfWord.min(a, b, INFINITY);
    }

    public static int max(int a, int b) {
        return HalfWord.max(a, b, INFINITY);
    }

    public static int minNan(int a, int b) {
        return HalfWord.minNan(a, b, INFINITY);
    }

    public static int maxNan(int a, int b) {
        return HalfWord.maxNan(a, b, INFINITY);
    }

    public static int minXorsignAbs(int a, int b) {
        return HalfWord.withXorsign(min(abs(a), abs(b)), a, b, INFINITY);
    }

    public static int maxXorsignAbs(int a, int b) {
        return HalfWord.withXorsign(max(abs(a), abs(b)), a, b, INFINITY);
    }

    public static int minNanXorsignAbs(int a, int b) {
        return HalfWord.withXorsign(minNan(abs(a), abs(b)), a, b, INFINITY);
    }

    public static int maxNanXorsignAbs(int a, int b) {
        return HalfWord.withXorsign(maxNan(abs(a), abs(b)), a, b, INFINITY);
    }

    public static int abs(int a) {
        return a & HalfWord.MAGNITUDE;
    }

    public static int neg(int a) {
        return a ^ HalfWord.SIGN;
    }

    public static int relu(int a) {
        return HalfWord.relu(a, INFINITY);
    }

    public static int satfinite(int a) {
        return HalfWord.satfinite(a, INFINITY);
    }

    public static int ex2Approx(int a) {
        return fromFloatRn(Approximate.ex2(toFloat(a)));
    }

    public static int tanhApprox(int a) {
        return fromFloatRn(Approximate.tanh(toFloat(a)));
    }
}
