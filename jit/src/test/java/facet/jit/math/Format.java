package facet.jit.math;

/** A binary floating-point format: significant bits, and the exponents of its normal numbers. */
enum Format {
    F16(11, -14, 15),
    BF16(8, -126, 127),
    TF32(11, -126, 127),
    F32(24, -126, 127),
    F64(53, -1022, 1023);

    final int precision;
    final int minExponent;
    final int maxExponent;

    Format(int precision, int minExponent, int maxExponent) {
        this.precision = precision;
        this.minExponent = minExponent;
        this.maxExponent = maxExponent;
    }

    long infinity() {
        return (long) (maxExponent - minExponent + 2) << (precision - 1);
    }

    long signBit() {
        int exponentBits = 64 - Long.numberOfLeadingZeros(maxExponent - minExponent + 2);
        return 1L << (precision - 1 + exponentBits);
    }

    /** The exact value; a NaN for patterns above infinity. */
    double value(long bits) {
        long magnitude = bits & (signBit() - 1);
        double sign = (bits & signBit()) != 0 ? -1 : 1;
        if (magnitude >= infinity()) {
            return magnitude == infinity() ? sign * Double.POSITIVE_INFINITY : Double.NaN;
        }
        long field = magnitude >>> (precision - 1);
        long fraction = magnitude & ((1L << (precision - 1)) - 1);
        long significand = field == 0 ? fraction : fraction | 1L << (precision - 1);
        int exponent = (int) Math.max(field, 1) - 1 + minExponent - (precision - 1);
        return sign * Math.scalb((double) significand, exponent);
    }

    boolean isNan(long bits) {
        return (bits & (signBit() - 1)) > infinity();
    }

    /** The bits of a value that the format holds exactly. */
    long bits(double value) {
        return ExactReference.round(Rational.of(value), value, this, Rounding.RN);
    }
}
