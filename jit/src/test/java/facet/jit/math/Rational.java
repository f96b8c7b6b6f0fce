package facet.jit.math;

import java.math.BigInteger;

/** An exact number; the denominator is positive, the fraction not reduced. */
record Rational(BigInteger numerator, BigInteger denominator) {
    static final Rational ZERO = new Rational(BigInteger.ZERO, BigInteger.ONE);

    /** Zero for values that are not finite. */
    static Rational of(double value) {
        if (value == 0 || Double.isNaN(value) || Double.isInfinite(value)) {
            return ZERO;
        }
        int exponent = Math.max(Math.getExponent(value), Double.MIN_EXPONENT) - 52;
        BigInteger significand = BigInteger.valueOf((long) Math.scalb(value, -exponent));
        return exponent >= 0
                ? new Rational(significand.shiftLeft(exponent), BigInteger.ONE)
                : new Rational(significand, BigInteger.ONE.shiftLeft(-exponent));
    }

    static Rational of(BigInteger value) {
        return new Rational(value, BigInteger.ONE);
    }

    Rational plus(Rational other) {
        return new Rational(
                numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
                denominator.multiply(other.denominator));
    }

    Rational times(Rational other) {
        return new Rational(
                numerator.multiply(other.numerator), denominator.multiply(other.denominator));
    }

    Rational over(Rational other) {
        BigInteger n = numerator.multiply(other.denominator);
        BigInteger d = denominator.multiply(other.numerator);
        return d.signum() < 0 ? new Rational(n.negate(), d.negate()) : new Rational(n, d);
    }

    /**
     * The square root to 120 bits, with one more bit set if it goes on: it then rounds to at most
     * 118 bits like the exact root.
     */
    Rational root() {
        BigInteger product = numerator.multiply(denominator);
        int shift = Math.max(0, 120 - product.bitLength() / 2);
        BigInteger[] root = product.shiftLeft(2 * shift).sqrtAndRemainder();
        BigInteger sticky = root[1].signum() == 0 ? BigInteger.ZERO : BigInteger.ONE;
        return new Rational(root[0].shiftLeft(1).add(sticky), denominator.shiftLeft(shift + 1));
    }

    /** The integer next to this number. */
    BigInteger toIntegral(Rounding rounding) {
        BigInteger[] parts = numerator.abs().divideAndRemainder(denominator);
        int half = parts[1].shiftLeft(1).compareTo(denominator);
        boolean away =
                rounding.away(
                        numerator.signum() < 0, parts[0].testBit(0), parts[1].signum() != 0, half);
        BigInteger magnitude = away ? parts[0].add(BigInteger.ONE) : parts[0];
        return numerator.signum() < 0 ? magnitude.negate() : magnitude;
    }
}
