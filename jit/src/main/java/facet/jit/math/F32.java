package facet.jit.math;

/**
 * f32 arithmetic (PTX ISA 9.0, 9.7.3). The round-to-nearest forms that are one JVM instruction are
 * left to the caller.
 *
 * <p>NaN: min and max return the other operand, or the canonical 0x7fffffff; other operations
 * return the NaN the JVM gives, which PTX leaves unspecified.
 *
 * <p>Directed rounding goes through double, where a product is exact and a sum has an exact error
 * term. Quotients and roots of 24-bit operands cannot lie within half an ulp of double of a 24-bit
 * value without being that value, so their error term is not needed.
 */
public final class F32 {
    private static final float CANONICAL_NAN = Float.intBitsToFloat(0x7fff_ffff);
    private static final int SIGN = 0x8000_0000;
    private static final double EXACT = 0;

    private F32() {}

    public static float addRz(float a, float b) {
        double sum = (double) a + b;
        return Directed.f32Z(sum, RoundingError.twoSumLow(a, b, sum));
    }

    public static float addRm(float a, float b) {
        double sum = (double) a + b;
        return sum == 0
                ? (float) Directed.zeroOfSumM(a, b)
                : Directed.f32M(sum, RoundingError.twoSumLow(a, b, sum));
    }

    public static float addRp(float a, float b) {
        double sum = (double) a + b;
        return Directed.f32P(sum, RoundingError.twoSumLow(a, b, sum));
    }

    public static float subRz(float a, float b) {
        return addRz(a, -b);
    }

    public static float subRm(float a, float b) {
        return addRm(a, -b);
    }

    public static float subRp(float a, float b) {
        return addRp(a, -b);
    }

    public static float mulRz(float a, float b) {
        return Directed.f32Z((double) a * b, EXACT);
    }

    public static float mulRm(float a, float b) {
        return Directed.f32M((double) a * b, EXACT);
    }

    public static float mulRp(float a, float b) {
        return Directed.f32P((double) a * b, EXACT);
    }

    public static float fmaRn(float a, float b, float c) {
        return Math.fma(a, b, c);
    }

    public static float fmaRz(float a, float b, float c) {
        double product = (double) a * b;
        double sum = product + c;
        return Directed.f32Z(sum, RoundingError.twoSumLow(product, c, sum));
    }

    public static float fmaRm(float a, float b, float c) {
        double product = (double) a * b;
        double sum = product + c;
        return sum == 0
                ? (float) Directed.zeroOfSumM(product, c)
                : Directed.f32M(sum, RoundingError.twoSumLow(product, c, sum));
    }

    public static float fmaRp(float a, float b, float c) {
        double product = (double) a * b;
        double sum = product + c;
        return Directed.f32P(sum, RoundingError.twoSumLow(product, c, sum));
    }

    /** From sm_20 on, mad.f32 is fma.f32. */
    public static float madRn(float a, float b, float c) {
        return Math.fma(a, b, c);
    }

    public static float madRz(float a, float b, float c) {
        return fmaRz(a, b, c);
    }

    public static float madRm(float a, float b, float c) {
        return fmaRm(a, b, c);
    }

    public static float madRp(float a, float b, float c) {
        return fmaRp(a, b, c);
    }

    public static float divRn(float a, float b) {
        return a / b;
    }

    public static float divRz(float a, float b) {
        return Directed.f32Z((double) a / b, EXACT);
    }

    public static float divRm(float a, float b) {
        return Directed.f32M((double) a / b, EXACT);
    }

    public static float divRp(float a, float b) {
        return Directed.f32P((double) a / b, EXACT);
    }

    public static float divApprox(float a, float b) {
        return Approximate.div(a, b);
    }

    public static float divFull(float a, float b) {
        return a / b;
    }

    public static float rcpRn(float a) {
        return 1.0f / a;
    }

    public static float rcpRz(float a) {
        return divRz(1.0f, a);
    }

    public static float rcpRm(float a) {
        return divRm(1.0f, a);
    }

    public static float rcpRp(float a) {
        return divRp(1.0f, a);
    }

    public static float rcpApprox(float a) {
        return 1.0f / a;
    }

    public static float sqrtRn(float a) {
        return (float) Math.sqrt(a);
    }

    public static float sqrtRz(float a) {
        return Directed.f32Z(Math.sqrt(a), EXACT);
    }

    public static float sqrtRm(float a) {
        return Directed.f32M(Math.sqrt(a), EXACT);
    }

    public static float sqrtRp(float a) {
        return Directed.f32P(Math.sqrt(a), EXACT);
    }

    public static float sqrtApprox(float a) {
        return (float) Math.sqrt(a);
    }

    public static float rsqrtApprox(float a) {
        return 1.0f / (float) Math.sqrt(a);
    }

    public static float sinApprox(float a) {
        return Approximate.sin(a);
    }

    public static float cosApprox(float a) {
        return Approximate.cos(a);
    }

    public static float lg2Approx(float a) {
        return Approximate.lg2(a);
    }

    public static float ex2Approx(float a) {
        return Approximate.ex2(a);
    }

    public static float tanhApprox(float a) {
        return Approximate.tanh(a);
    }

    public static float min(float a, float b) {
        float result = Math.min(a, b);
        return Float.isNaN(result) ? theNumberOf(a, b) : result;
    }

    public static float max(float a, float b) {
        float result = Math.max(a, b);
        return Float.isNaN(result) ? theNumberOf(a, b) : result;
    }

    public static float minNan(float a, float b) {
        float result = Math.min(a, b);
        return Float.isNaN(result) ? CANONICAL_NAN : result;
    }

    public static float maxNan(float a, float b) {
        float result = Math.max(a, b);
        return Float.isNaN(result) ? CANONICAL_NAN : result;
    }

    public static float minAbs(float a, float b) {
        return min(Math.abs(a), Math.abs(b));
    }

    public static float maxAbs(float a, float b) {
        return max(Math.abs(a), Math.abs(b));
    }

    public static float minNanAbs(float a, float b) {
        return minNan(Math.abs(a), Math.abs(b));
    }

    public static float maxNanAbs(float a, float b) {
        return maxNan(Math.abs(a), Math.abs(b));
    }

    public static float minXorsignAbs(float a, float b) {
        return withXorsign(min(Math.abs(a), Math.abs(b)), a, b);
    }

    public static float maxXorsignAbs(float a, float b) {
        return withXorsign(max(Math.abs(a), Math.abs(b)), a, b);
    }

    public static float minNanXorsignAbs(float a, float b) {
        return withXorsign(minNan(Math.abs(a), Math.abs(b)), a, b);
    }

    public static float maxNanXorsignAbs(float a, float b) {
        return withXorsign(maxNan(Math.abs(a), Math.abs(b)), a, b);
    }

    private static float theNumberOf(float a, float b) {
        return !Float.isNaN(a) ? a : !Float.isNaN(b) ? b : CANONICAL_NAN;
    }

    private static float withXorsign(float magnitude, float a, float b) {
        int sign = (Float.floatToRawIntBits(a) ^ Float.floatToRawIntBits(b)) & SIGN;
        return Float.isNaN(magnitude)
                ? magnitude
                : Float.intBitsToFloat(Float.floatToRawIntBits(magnitude) | sign);
    }

    public static float abs(float a) {
        return Math.abs(a);
    }

    public static float neg(float a) {
        return -a;
    }

    /** The sign of the first operand on the magnitude of the second, other than in C and Java. */
    public static float copysign(float a, float b) {
        int sign = Float.floatToRawIntBits(a) & SIGN;
        return Float.intBitsToFloat(Float.floatToRawIntBits(b) & ~SIGN | sign);
    }

    public static float slctS32(float a, float b, int c) {
        return c >= 0 ? a : b;
    }

    public static float slctF32(float a, float b, float c) {
        return c >= 0 ? a : b;
    }

    public static float ftz(float a) {
        return Math.abs(a) < Float.MIN_NORMAL
                ? Float.intBitsToFloat(Float.floatToRawIntBits(a) & SIGN)
                : a;
    }

    public static float sat(float a) {
        return a > 0 ? (a < 1 ? a : 1) : 0;
    }

    public static boolean testpFinite(float a) {
        return Math.abs(a) <= Float.MAX_VALUE;
    }

    public static boolean testpInfinite(float a) {
        return Math.abs(a) == Float.POSITIVE_INFINITY;
    }

    public static boolean testpNumber(float a) {
        return !Float.isNaN(a);
    }

    public static boolean testpNotanumber(float a) {
        return Float.isNaN(a);
    }

    /** Zeros count as normal. */
    public static boolean testpNormal(float a) {
        float magnitude = Math.abs(a);
        return (magnitude >= Float.MIN_NORMAL && magnitude <= Float.MAX_VALUE) || magnitude == 0;
    }

    public static boolean testpSubnormal(float a) {
        float magnitude = Math.abs(a);
        return magnitude > 0 && magnitude < Float.MIN_NORMAL;
    }

    public static boolean lt(float a, float b) {
        return a < b;
    }

    public static boolean le(float a, float b) {
        return a <= b;
    }

    public static boolean gt(float a, float b) {
        return a > b;
    }

    public static boolean ge(float a, float b) {
        return a >= b;
    }

    public static boolean eq(float a, float b) {
        return a == b;
    }

    public static boolean ne(float a, float b) {
        return a < b || a > b;
    }

    public static boolean ltu(float a, float b) {
        return !(a >= b);
    }

    public static boolean leu(float a, float b) {
        return !(a > b);
    }

    public static boolean gtu(float a, float b) {
        return !(a <= b);
    }

    public static boolean geu(float a, float b) {
        return !(a < b);
    }

    public static boolean equ(float a, float b) {
        return !(a < b || a > b);
    }

    public static boolean neu(float a, float b) {
        return a != b;
    }

    public static boolean num(float a, float b) {
        return !Float.isNaN(a) && !Float.isNaN(b);
    }

    public static boolean nan(float a, float b) {
        return Float.isNaN(a) || Float.isNaN(b);
    }
}
