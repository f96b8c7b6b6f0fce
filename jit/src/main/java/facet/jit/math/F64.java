package facet.jit.math;

/**
 * f64 arithmetic (PTX ISA 9.0, 9.7.3). The round-to-nearest forms that are one JVM instruction are
 * left to the caller.
 *
 * <p>NaN: min and max return the other operand, or 0x7fffffffffffffff; other operations return the
 * NaN the JVM gives, which PTX leaves unspecified.
 */
public final class F64 {
    private static final double CANONICAL_NAN = Double.longBitsToDouble(Long.MAX_VALUE);
    private static final long SIGN = Long.MIN_VALUE;

    private F64() {}

    public static double addRz(double a, double b) {
        double sum = a + b;
        return Directed.f64Z(sum, RoundingError.ofSum(a, b, sum));
    }

    public static double addRm(double a, double b) {
        double sum = a + b;
        // A sum of doubles never underflows: zero is exact.
        return sum == 0
                ? Directed.zeroOfSumM(a, b)
                : Directed.f64M(sum, RoundingError.ofSum(a, b, sum));
    }

    public static double addRp(double a, double b) {
        double sum = a + b;
        return Directed.f64P(sum, RoundingError.ofSum(a, b, sum));
    }

    public static double subRz(double a, double b) {
        return addRz(a, -b);
    }

    public static double subRm(double a, double b) {
        return addRm(a, -b);
    }

    public static double subRp(double a, double b) {
        return addRp(a, -b);
    }

    public static double mulRz(double a, double b) {
        double product = a * b;
        return Directed.f64Z(product, RoundingError.ofProduct(a, b, product));
    }

    public static double mulRm(double a, double b) {
        double product = a * b;
        return Directed.f64M(product, RoundingError.ofProduct(a, b, product));
    }

    public static double mulRp(double a, double b) {
        double product = a * b;
        return Directed.f64P(product, RoundingError.ofProduct(a, b, product));
    }

    public static double fmaRn(double a, double b, double c) {
        return Math.fma(a, b, c);
    }

    public static double fmaRz(double a, double b, double c) {
        double result = Math.fma(a, b, c);
        return Directed.f64Z(result, RoundingError.ofFma(a, b, c, result));
    }

    public static double fmaRm(double a, double b, double c) {
        double result = Math.fma(a, b, c);
        double error = RoundingError.ofFma(a, b, c, result);
        return result == 0 && error == 0
                ? Directed.zeroOfSumM(a * b, c)
                : Directed.f64M(result, error);
    }

    public static double fmaRp(double a, double b, double c) {
        double result = Math.fma(a, b, c);
        return Directed.f64P(result, RoundingError.ofFma(a, b, c, result));
    }

    /** mad.f64 is fma.f64. */
    public static double madRn(double a, double b, double c) {
        return Math.fma(a, b, c);
    }

    public static double madRz(double a, double b, double c) {
        return fmaRz(a, b, c);
    }

    public static double madRm(double a, double b, double c) {
        return fmaRm(a, b, c);
    }

    public static double madRp(double a, double b, double c) {
        return fmaRp(a, b, c);
    }

    public static double divRn(double a, double b) {
        return a / b;
    }

    public static double divRz(double a, double b) {
        double quotient = a / b;
        return Directed.f64Z(quotient, RoundingError.ofQuotient(a, b, quotient));
    }

    public static double divRm(double a, double b) {
        double quotient = a / b;
        return Directed.f64M(quotient, RoundingError.ofQuotient(a, b, quotient));
    }

    public static double divRp(double a, double b) {
        double quotient = a / b;
        return Directed.f64P(quotient, RoundingError.ofQuotient(a, b, quotient));
    }

    public static double rcpRn(double a) {
        return 1.0 / a;
    }

    public static double rcpRz(double a) {
        return divRz(1.0, a);
    }

    public static double rcpRm(double a) {
        return divRm(1.0, a);
    }

    public static double rcpRp(double a) {
        return divRp(1.0, a);
    }

    /** rcp.approx.ftz.f64; flushing is part of it, because it reads only the upper word. */
    public static double rcpApproxFtz(double a) {
        return Approximate.rcpFtz(a);
    }

    public static double sqrtRn(double a) {
        return Math.sqrt(a);
    }

    public static double sqrtRz(double a) {
        return sqrtRm(a);
    }

    public static double sqrtRm(double a) {
        double root = Math.sqrt(a);
        return Directed.f64M(root, RoundingError.ofRoot(a, root));
    }

    public static double sqrtRp(double a) {
        double root = Math.sqrt(a);
        return Directed.f64P(root, RoundingError.ofRoot(a, root));
    }

    public static double rsqrtApprox(double a) {
        return 1.0 / Math.sqrt(a);
    }

    /** rsqrt.approx.ftz.f64; flushing is part of it, because it reads only the upper word. */
    public static double rsqrtApproxFtz(double a) {
        return Approximate.rsqrtFtz(a);
    }

    public static double min(double a, double b) {
        double result = Math.min(a, b);
        return Double.isNaN(result) ? theNumberOf(a, b) : result;
    }

    public static double max(double a, double b) {
        double result = Math.max(a, b);
        return Double.isNaN(result) ? theNumberOf(a, b) : result;
    }

    private static double theNumberOf(double a, double b) {
        return !Double.isNaN(a) ? a : !Double.isNaN(b) ? b : CANONICAL_NAN;
    }

    public static double abs(double a) {
        return Math.abs(a);
    }

    public static double neg(double a) {
        return -a;
    }

    /** The sign of the first operand on the magnitude of the second, other than in C and Java. */
    public static double copysign(double a, double b) {
        long sign = Double.doubleToRawLongBits(a) & SIGN;
        return Double.longBitsToDouble(Double.doubleToRawLongBits(b) & ~SIGN | sign);
    }

    public static double slctS32(double a, double b, int c) {
        return c >= 0 ? a : b;
    }

    public static double slctF32(double a, double b, float c) {
        return c >= 0 ? a : b;
    }

    public static double sat(double a) {
        return a > 0 ? (a < 1 ? a : 1) : 0;
    }

    public static boolean testpFinite(double a) {
        return Math.abs(a) <= Double.MAX_VALUE;
    }

    public static boolean testpInfinite(double a) {
        return Math.abs(a) == Double.POSITIVE_INFINITY;
    }

    public static boolean testpNumber(double a) {
        return !Double.isNaN(a);
    }

    public static boolean testpNotanumber(double a) {
        return Double.isNaN(a);
    }

    /** Zeros count as normal. */
    public static boolean testpNormal(double a) {
        double magnitude = Math.abs(a);
        return (magnitude >= Double.MIN_NORMAL && magnitude <= Double.MAX_VALUE) || magnitude == 0;
    }

    public static boolean testpSubnormal(double a) {
        double magnitude = Math.abs(a);
        return magnitude > 0 && magnitude < Double.MIN_NORMAL;
    }

    public static boolean lt(double a, double b) {
        return a < b;
    }

    public static boolean le(double a, double b) {
        return a <= b;
    }

    public static boolean gt(double a, double b) {
        return a > b;
    }

    public static boolean ge(double a, double b) {
        return a >= b;
    }

    public static boolean eq(double a, double b) {
        return a == b;
    }

    public static boolean ne(double a, double b) {
        return a < b || a > b;
    }

    public static boolean ltu(double a, double b) {
        return !(a >= b);
    }

    public static boolean leu(double a, double b) {
        return !(a > b);
    }

    public static boolean gtu(double a, double b) {
        return !(a <= b);
    }

    public static boolean geu(double a, double b) {
        return !(a < b);
    }

    public static boolean equ(double a, double b) {
        return !(a < b || a > b);
    }

    public static boolean neu(double a, double b) {
        return a != b;
    }

    public static boolean num(double a, double b) {
        return !Double.isNaN(a) && !Double.isNaN(b);
    }

    public static boolean nan(double a, double b) {
        return Double.isNaN(a) || Double.isNaN(b);
    }
}
