package facet.jit.math;

import java.math.BigInteger;

/**
 * The IEEE 754 operations on exact rationals, rounded once. Operands are doubles, which hold every
 * value of the smaller formats; results are bit patterns of the format, with {@link #NAN} for any
 * NaN.
 */
final class ExactReference {
    static final long NAN = Long.MAX_VALUE;

    private ExactReference() {}

    static long add(double a, double b, Format format, Rounding rounding) {
        if (!Double.isFinite(a) || !Double.isFinite(b)) {
            return special(a + b, format);
        }
        return round(
                Rational.of(a).plus(Rational.of(b)), zeroOfSum(a, b, rounding), format, rounding);
    }

    static long multiply(double a, double b, Format format, Rounding rounding) {
        if (!Double.isFinite(a) || !Double.isFinite(b)) {
            return special(a * b, format);
        }
        return round(Rational.of(a).times(Rational.of(b)), signOfProduct(a, b), format, rounding);
    }

    static long fma(double a, double b, double c, Format format, Rounding rounding) {
        if (!Double.isFinite(a) || !Double.isFinite(b)) {
            return special(a * b + c, format);
        }
        if (!Double.isFinite(c)) {
            return special(c, format);
        }
        double zero = zeroOfSum(signOfProduct(a, b) * (a == 0 || b == 0 ? 0.0 : 1.0), c, rounding);
        Rational product = Rational.of(a).times(Rational.of(b));
        return round(product.plus(Rational.of(c)), zero, format, rounding);
    }

    static long divide(double a, double b, Format format, Rounding rounding) {
        if (!Double.isFinite(a) || !Double.isFinite(b) || b == 0) {
            return special(a / b, format);
        }
        return round(Rational.of(a).over(Rational.of(b)), signOfProduct(a, b), format, rounding);
    }

    static long root(double a, Format format, Rounding rounding) {
        if (!(a > 0) || Double.isInfinite(a)) {
            return special(Math.sqrt(a), format);
        }
        return round(Rational.of(a).root(), 1, format, rounding);
    }

    static long convert(double a, Format format, Rounding rounding) {
        return Double.isFinite(a) ? round(Rational.of(a), a, format, rounding) : special(a, format);
    }

    static long convert(BigInteger a, Format format, Rounding rounding) {
        return round(Rational.of(a), 0.0, format, rounding);
    }

    /**
     * @param zero decides the sign of an exact zero
     */
    static long round(Rational exact, double zero, Format format, Rounding rounding) {
        int sign = exact.numerator().signum();
        if (sign == 0) {
            return Math.copySign(1, zero) < 0 ? format.signBit() : 0;
        }
        BigInteger numerator = exact.numerator().abs();
        BigInteger denominator = exact.denominator();
        int exponent = Math.max(log2(numerator, denominator), format.minExponent);
        int lastPlace = exponent - (format.precision - 1);
        if (lastPlace >= 0) {
            denominator = denominator.shiftLeft(lastPlace);
        } else {
            numerator = numerator.shiftLeft(-lastPlace);
        }
        BigInteger[] parts = numerator.divideAndRemainder(denominator);
        int half = parts[1].shiftLeft(1).compareTo(denominator);
        boolean inexact = parts[1].signum() != 0;
        long significand = parts[0].longValueExact();
        if (rounding.away(sign < 0, (significand & 1) != 0, inexact, half)) {
            significand++;
        }
        // The hidden bit and a carry both add to the exponent field.
        long bits =
                ((long) (exponent - format.minExponent) << (format.precision - 1)) + significand;
        if (exponent > format.maxExponent || bits >= format.infinity()) {
            bits = overflow(sign < 0, format, rounding);
        }
        return sign < 0 ? bits | format.signBit() : bits;
    }

    private static long overflow(boolean negative, Format format, Rounding rounding) {
        boolean infinite =
                switch (rounding) {
                    case RN, RNA -> true;
                    case RZ -> false;
                    case RM -> negative;
                    case RP -> !negative;
                };
        return infinite ? format.infinity() : format.infinity() - 1;
    }

    private static int log2(BigInteger numerator, BigInteger denominator) {
        int estimate = numerator.bitLength() - denominator.bitLength();
        BigInteger n = estimate < 0 ? numerator.shiftLeft(-estimate) : numerator;
        BigInteger d = estimate > 0 ? denominator.shiftLeft(estimate) : denominator;
        return n.compareTo(d) < 0 ? estimate - 1 : estimate;
    }

    /** A zero, an infinity or a NaN, where no rounding takes place. */
    private static long special(double value, Format format) {
        if (Double.isNaN(value)) {
            return NAN;
        }
        long magnitude = value == 0 ? 0 : format.infinity();
        return Math.copySign(1, value) < 0 ? magnitude | format.signBit() : magnitude;
    }

    private static double signOfProduct(double a, double b) {
        return Math.copySign(1, a) * Math.copySign(1, b);
    }

    private static double zeroOfSum(double a, double b, Rounding rounding) {
        boolean bothZero = a == 0 && b == 0;
        if (bothZero && Math.copySign(1, a) == Math.copySign(1, b)) {
            return a;
        }
        return rounding == Rounding.RM ? -0.0 : 0.0;
    }
}
