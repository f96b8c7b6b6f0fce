package facet.jit.math;

/**
 * f16 arithmetic (PTX ISA 9.0, 9.7.4), on bit patterns zero-extended to int. A NaN result is the
 * canonical 0x7fff, except that neg and abs only touch the sign bit (PTX leaves their NaN open).
 *
 * <p>Sums round to float and then to f16; 24 bits are at least 2*11+2, so rounding twice equals
 * rounding once (Figueroa). Products of two f16 are exact in float. For fma the sum in double is
 * either exact or so far from a tie of f16 that its rounding does not matter: a tie has 12 bits,
 * and what can push a 22-bit product or an 11-bit addend off a tie within range lies less than 42
 * bits below its top.
 *
 * <p>Comparisons are those of f32: every value is one of its values too.
 */
public final class F16 {
    private static final int INFINITY = 0x7c00;
    private static final int ONE = 0x3c00;

    private F16() {}

    public static float toFloat(int a) {
        return Float.float16ToFloat((short) a);
    }

    public static int fromFloatRn(float a) {
        return Float.isNaN(a) ? HalfWord.CANONICAL_NAN : Float.floatToFloat16(a) & 0xffff;
    }

    public static int fromFloatRz(float a) {
        int nearest = fromFloatRn(a);
        return Math.abs(toFloat(nearest)) > Math.abs(a) ? HalfWord.towardsZero(nearest) : nearest;
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
        return fromDoubleRn((double) toFloat(a) * toFloat(b) + toFloat(c));
    }

    public static int fmaRelu(int a, int b, int c) {
        return relu(fma(a, b, c));
    }

    public static int ftz(int a) {
        return (a & INFINITY) == 0 ? a & HalfWord.SIGN : a;
    }

    public static int sat(int a) {
        return a > INFINITY ? 0 : Math.min(a, ONE);
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
