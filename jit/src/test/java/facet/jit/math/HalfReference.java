package facet.jit.math;

/**
 * a*b + c for f16 and bf16 in integers, fast enough for millions of cases and independent of the
 * code under test; {@code HalfTest} checks it against {@link ExactReference}.
 *
 * <p>Product and addend are each an integer times a power of two. If they are more than 38 binary
 * places apart the smaller one only decides the direction of rounding, so one unit far below the
 * larger one takes its place.
 */
record HalfReference(Format format) {
    private static final int NAN = 0x7fff;
    private static final int MAX_GAP = 38;

    int add(int a, int b) {
        return fma(a, (int) format.bits(1), b);
    }

    int multiply(int a, int b) {
        // An addend of zero with the sign of the product leaves a zero product as it is.
        return fma(a, b, (a ^ b) & 0x8000);
    }

    int fma(int a, int b, int c) {
        if (format.isNan(a) || format.isNan(b) || format.isNan(c)) {
            return NAN;
        }
        int infinity = (int) format.infinity();
        int productSign = (a ^ b) & 0x8000;
        int addendSign = c & 0x8000;
        boolean infiniteProduct = magnitude(a) == infinity || magnitude(b) == infinity;
        if (infiniteProduct) {
            boolean invalid = magnitude(a) == 0 || magnitude(b) == 0;
            boolean cancels = magnitude(c) == infinity && addendSign != productSign;
            return invalid || cancels ? NAN : productSign | infinity;
        }
        if (magnitude(c) == infinity) {
            return c;
        }
        long product = significand(a) * significand(b);
        long addend = significand(c);
        int productExponent = exponent(a) + exponent(b);
        int addendExponent = exponent(c);
        long signedProduct = productSign != 0 ? -product : product;
        long signedAddend = addendSign != 0 ? -addend : addend;
        if (product == 0 && addend == 0) {
            return productSign & addendSign;
        }
        if (product == 0) {
            return c;
        }
        if (addend == 0) {
            return round(signedProduct, productExponent);
        }
        return productExponent > addendExponent
                ? sum(signedProduct, productExponent, signedAddend, addendExponent)
                : sum(signedAddend, addendExponent, signedProduct, productExponent);
    }

    private int sum(long high, int highExponent, long low, int lowExponent) {
        int gap = highExponent - lowExponent;
        return gap <= MAX_GAP
                ? round((high << gap) + low, lowExponent)
                : round((high << MAX_GAP) + Long.signum(low), highExponent - MAX_GAP);
    }

    /** Round to nearest even by walking the bits off one at a time. */
    private int round(long value, int exponent) {
        if (value == 0) {
            return 0;
        }
        int sign = value < 0 ? 0x8000 : 0;
        long rest = Math.abs(value);
        int lastPlace = exponent;
        int limit = format.minExponent - (format.precision - 1);
        boolean sticky = false;
        boolean guard = false;
        while (rest >= 1L << format.precision || lastPlace < limit) {
            sticky |= guard;
            guard = (rest & 1) != 0;
            rest >>= 1;
            lastPlace++;
        }
        while (rest < 1L << (format.precision - 1) && lastPlace > limit) {
            rest <<= 1;
            lastPlace--;
        }
        if (guard && (sticky || (rest & 1) != 0)) {
            rest++;
        }
        long bits = ((long) (lastPlace - limit) << (format.precision - 1)) + rest;
        return sign | (int) Math.min(bits, format.infinity());
    }

    private int magnitude(int a) {
        return a & 0x7fff;
    }

    private long significand(int a) {
        int fractionBits = format.precision - 1;
        int fraction = a & ((1 << fractionBits) - 1);
        return magnitude(a) >> fractionBits == 0 ? fraction : fraction | 1 << fractionBits;
    }

    private int exponent(int a) {
        int fractionBits = format.precision - 1;
        return Math.max(magnitude(a) >> fractionBits, 1) - 1 + format.minExponent - fractionBits;
    }
}
