package facet.jit.math;

/**
 * Rounding towards zero (z), minus infinity (m) and plus infinity (p).
 *
 * <p>The exact result is given as its nearest double and an error of which only the sign counts
 * (see {@link RoundingError}). One comparison finds whether the nearest value lies on the wrong
 * side of the exact one, and if so the neighbour is taken. Stepping from an infinity gives the
 * largest finite value, which is what directed rounding makes of an overflow.
 */
final class Directed {
    private static final double HIGH_HALF = 0x1p32;

    private Directed() {}

    static double f64Z(double nearest, double error) {
        return nearest > 0 ? f64M(nearest, error) : nearest < 0 ? f64P(nearest, error) : nearest;
    }

    static double f64M(double nearest, double error) {
        return error < 0 ? Math.nextDown(nearest) : nearest;
    }

    static double f64P(double nearest, double error) {
        return error > 0 ? Math.nextUp(nearest) : nearest;
    }

    static float f32Z(double nearest, double error) {
        return nearest > 0
                ? f32M(nearest, error)
                : nearest < 0 ? f32P(nearest, error) : (float) nearest;
    }

    static float f32M(double nearest, double error) {
        float result = (float) nearest;
        boolean above = result > nearest || (result == nearest && error < 0);
        return above ? Math.nextDown(result) : result;
    }

    static float f32P(double nearest, double error) {
        float result = (float) nearest;
        boolean below = result < nearest || (result == nearest && error > 0);
        return below ? Math.nextUp(result) : result;
    }

    /**
     * An exact sum of zero rounded towards minus infinity is −0 unless both terms are +0 (IEEE
     * 754-2019, 6.3); every other mode agrees with the JVM.
     */
    static double zeroOfSumM(double a, double b) {
        return Double.longBitsToDouble(
                (Double.doubleToRawLongBits(a) | Double.doubleToRawLongBits(b)) & Long.MIN_VALUE);
    }

    /** A 64-bit integer as the exact sum of two doubles: this part and {@link #low}. */
    static double highS64(long value) {
        return (value >> 32) * HIGH_HALF;
    }

    static double highU64(long value) {
        return (value >>> 32) * HIGH_HALF;
    }

    static double low(long value) {
        return value & 0xffff_ffffL;
    }

    /**
     * The sum of two doubles rounded to odd: if inexact, the neighbour whose last bit is 1.
     * Rounding that to a format at least two bits narrower gives the same as rounding the exact sum
     * (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums").
     */
    static double oddSum(double a, double b) {
        double sum = a + b;
        double error = RoundingError.twoSumLow(a, b, sum);
        if (error == 0 || Double.isNaN(error)) {
            return sum;
        }
        long bits = Double.doubleToRawLongBits(sum);
        long step = (error > 0) == (sum > 0) ? 1 : -1;
        return (bits & 1) != 0 ? sum : Double.longBitsToDouble(bits + step);
    }

    /**
     * The double truncated to the 24 significant bits of a float, the last one set if anything was
     * cut off (round to odd): the conversion to float is then exact within the normal range.
     */
    static double oddTo24Bits(double value) {
        long bits = Double.doubleToRawLongBits(value);
        return Double.longBitsToDouble(
                (bits | ((bits & 0x1fff_ffffL) + 0x1fff_ffffL)) & ~0x1fff_ffffL);
    }
}
