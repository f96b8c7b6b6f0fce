package facet.jit.math;

import java.math.BigDecimal;

/**
 * The sign of (exact result − result rounded to nearest) for the f64 operations.
 *
 * <p>Each method returns a double of which only the sign counts: positive when the exact result
 * lies above the rounded one, negative when below, 0 or NaN when the rounded result is exact (or a
 * NaN or an infinity that no rounding changes). Overflow of finite operands counts as "the exact
 * result is smaller in magnitude than infinity", so that stepping towards it yields the largest
 * finite value.
 *
 * <p>The error of a sum, product, quotient or root is itself a double as long as nothing
 * underflows; near the bottom of the range the operands are scaled by a power of two first.
 */
final class RoundingError {
    /** Products and dividends above this have an error term that does not underflow. */
    private static final double SAFE = 0x1p-900;

    private static final double LARGE = 0x1p1000;
    private static final double UP = 0x1p600;

    private RoundingError() {}

    static double ofSum(double a, double b, double sum) {
        if (Math.abs(sum) <= Double.MAX_VALUE) {
            // Fast2Sum: with the larger operand first no intermediate overflows.
            boolean ordered = Math.abs(a) >= Math.abs(b);
            double large = ordered ? a : b;
            double small = ordered ? b : a;
            return small - (sum - large);
        }
        return isFinite(a) && isFinite(b) ? -sum : 0;
    }

    static double ofProduct(double a, double b, double product) {
        double magnitude = Math.abs(product);
        if (magnitude >= SAFE && magnitude <= Double.MAX_VALUE) {
            return Math.fma(a, b, -product);
        }
        if (magnitude < SAFE) {
            // a and b are multiples of 2^-1074 and below 2^174: nothing under- or overflows.
            return Math.fma(a * UP, b * UP, -(product * UP * UP));
        }
        return isFinite(a) && isFinite(b) ? -product : 0;
    }

    /** Boldo and Muller, "Exact and approximated error of the FMA", algorithm ErrFmaNearest. */
    static double ofFma(double a, double b, double c, double result) {
        double product = a * b;
        double magnitude = Math.abs(product);
        if (magnitude >= SAFE && magnitude <= LARGE && Math.abs(c) <= LARGE) {
            double productLow = Math.fma(a, b, -product);
            double alpha = c + productLow;
            double alphaLow = twoSumLow(c, productLow, alpha);
            double beta = product + alpha;
            double betaLow = twoSumLow(product, alpha, beta);
            return ((beta - result) + betaLow) + alphaLow;
        }
        if (!isFinite(a) || !isFinite(b) || !isFinite(c) || a == 0 || b == 0) {
            return 0;
        }
        if (!isFinite(result)) {
            return -result;
        }
        return new BigDecimal(a)
                .multiply(new BigDecimal(b))
                .add(new BigDecimal(c))
                .compareTo(new BigDecimal(result));
    }

    static double ofQuotient(double a, double b, double quotient) {
        double magnitude = Math.abs(quotient);
        double dividend = Math.abs(a);
        if (magnitude >= Double.MIN_NORMAL && magnitude <= Double.MAX_VALUE && dividend >= SAFE) {
            return towards(Math.fma(-quotient, b, a), b);
        }
        if (magnitude > Double.MAX_VALUE) {
            return isFinite(a) && b != 0 ? -quotient : 0;
        }
        // A subnormal quotient leaves room above a and the quotient, a tiny dividend above a and b.
        return magnitude < Double.MIN_NORMAL
                ? towards(Math.fma(-(quotient * UP), b, a * UP), b)
                : towards(Math.fma(-quotient, b * UP, a * UP), b);
    }

    static double ofRoot(double a, double root) {
        if (a >= SAFE) {
            return a <= Double.MAX_VALUE ? Math.fma(-root, root, a) : 0;
        }
        double scaled = root * 0x1p300;
        return Math.fma(-scaled, scaled, a * UP);
    }

    /** Knuth's error of a sum whose operands are in no known order; exact below overflow. */
    static double twoSumLow(double a, double b, double sum) {
        double virtual = sum - a;
        return (a - (sum - virtual)) + (b - virtual);
    }

    private static double towards(double remainder, double divisor) {
        return divisor < 0 ? -remainder : remainder;
    }

    private static boolean isFinite(double value) {
        return Math.abs(value) <= Double.MAX_VALUE;
    }
}
