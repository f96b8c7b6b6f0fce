package facet.jit.math;

/**
 * The .approx operations of f32 and f64 with the special values and error bounds of PTX ISA 9.0,
 * 9.7.3; {@code ApproximateTest} measures the bounds.
 *
 * <p>The f32 functions are evaluated in double: range reduction is then two operations, subnormal
 * arguments are ordinary numbers, and overflow and subnormal results fall out of the final
 * conversion to float. Coefficients are minimax fits (Remez); the error beside each is that of the
 * polynomial alone.
 */
final class Approximate {
    /** Added to a double below 2^51, leaves the nearest integer in the low bits of its mantissa. */
    private static final double TO_INTEGER = 0x1.8p52;

    /**
     * Up to here the error of pi as a double, times the multiple of pi, stays below 2^-24. PTX
     * promises nothing beyond 100 pi.
     */
    private static final float REDUCIBLE = 0x1p30f;

    private static final long SIGN = Long.MIN_VALUE;
    private static final long UPPER_WORD = 0xffff_ffff_0000_0000L;
    private static final double CANONICAL_NAN = Double.longBitsToDouble(0x7fff_ffff_0000_0000L);

    private Approximate() {}

    /** 2 ulp; but a divisor above 2^126 has a reciprocal that counts as zero. */
    static float div(float a, float b) {
        return Math.abs(b) > 0x1p126f ? a * Math.copySign(0.0f, b) : a / b;
    }

    static float ex2(float a) {
        if (a > -151.0f && a < 129.0f) {
            double shifted = a + TO_INTEGER;
            double r = a - (shifted - TO_INTEGER);
            // 2^r for |r| <= 1/2, relative error 2^-28.9
            double p = 0x1.41fbbbc311d34p-13;
            p = Math.fma(p, r, 0x1.5f3e52e731129p-10);
            p = Math.fma(p, r, 0x1.3b2d4cf251bc3p-7);
            p = Math.fma(p, r, 0x1.c6aee88eb664ap-5);
            p = Math.fma(p, r, 0x1.ebfbdc3c2f68ep-3);
            p = Math.fma(p, r, 0x1.62e430af26ed2p-1);
            p = Math.fma(p, r, 1.0);
            long exponent = Double.doubleToRawLongBits(shifted) + 1023;
            return (float) (p * Double.longBitsToDouble(exponent << 52));
        }
        return a > 0 ? Float.POSITIVE_INFINITY : a < 0 ? 0.0f : a;
    }

    static float lg2(float a) {
        if (a > 0 && a < Float.POSITIVE_INFINITY) {
            // a = 2^k * m with m in [sqrt(1/2), sqrt(2)): the offset makes the carry choose k.
            long bits = Double.doubleToRawLongBits(a);
            long offset = bits - 0x3fe6_a09e_667f_3bcdL;
            long k = offset >> 52;
            double m = Double.longBitsToDouble(bits - (k << 52));
            double s = (m - 1) / (m + 1);
            double t = s * s;
            // log2((1+s)/(1-s)) / s in t = s*s, relative error 2^-31
            double p = 0x1.ba1c3cbf0ccdbp-2;
            p = Math.fma(p, t, 0x1.2747091d320e2p-1);
            p = Math.fma(p, t, 0x1.ec70e63c181b6p-1);
            p = Math.fma(p, t, 0x1.7154764e6d429p+1);
            return (float) Math.fma(p, s, (double) k);
        }
        return a == 0 ? Float.NEGATIVE_INFINITY : a > 0 ? a : Float.NaN;
    }

    static float sin(float a) {
        if (Math.abs(a) <= REDUCIBLE) {
            double shifted = Math.fma(a, 1 / Math.PI, TO_INTEGER);
            return sinOfRest(a, shifted - TO_INTEGER, Double.doubleToRawLongBits(shifted));
        }
        return (float) Math.sin(a);
    }

    /** cos(r + (n + 1/2)*pi) = -sin(r) for even n, so the same polynomial serves. */
    static float cos(float a) {
        if (Math.abs(a) <= REDUCIBLE) {
            double shifted = Math.fma(a, 1 / Math.PI, -0.5) + TO_INTEGER;
            double half = (shifted - TO_INTEGER) + 0.5;
            return sinOfRest(a, half, ~Double.doubleToRawLongBits(shifted));
        }
        return (float) Math.cos(a);
    }

    /** sin(a - multiple*pi), negated if the last bit of parity is set. */
    private static float sinOfRest(double a, double multiple, long parity) {
        double r = Math.fma(-multiple, Math.PI, a);
        double t = r * r;
        // sin(r)/r in t = r*r for |r| <= pi/2, absolute error 2^-27.7
        double p = 0x1.5cf934010d938p-19;
        p = Math.fma(p, t, -0x1.9f5ff4af769cep-13);
        p = Math.fma(p, t, 0x1.110e6a5f81738p-7);
        p = Math.fma(p, t, -0x1.5555487d0f14cp-3);
        p = Math.fma(p, t, 1.0);
        long sign = parity << 63;
        return (float) Double.longBitsToDouble(Double.doubleToRawLongBits(r * p) ^ sign);
    }

    static float tanh(float a) {
        if (Math.abs(a) < 0.25f) {
            // The series; its next term is below 2^-21 of the result here.
            float t = a * a;
            float p = Math.fma(t, -17.0f / 315, 2.0f / 15);
            p = Math.fma(p, t, -1.0f / 3);
            p = Math.fma(p, t, 1.0f);
            return a * p;
        }
        // 2 / ln 2; an overflow to infinity or underflow to zero gives the limits 1 and -1.
        return 1.0f - 2.0f / (ex2(a * 0x1.715476p+1f) + 1.0f);
    }

    static double rcpFtz(double a) {
        double upper = Double.longBitsToDouble(Double.doubleToRawLongBits(a) & UPPER_WORD);
        if (Double.isNaN(upper)) {
            return CANONICAL_NAN;
        }
        return upperWordFtz(1.0 / flush(upper));
    }

    static double rsqrtFtz(double a) {
        double upper = Double.longBitsToDouble(Double.doubleToRawLongBits(a) & UPPER_WORD);
        double root = Math.sqrt(flush(upper));
        return Double.isNaN(root) ? CANONICAL_NAN : upperWordFtz(1.0 / root);
    }

    private static double upperWordFtz(double a) {
        return flush(Double.longBitsToDouble(Double.doubleToRawLongBits(a) & UPPER_WORD));
    }

    private static double flush(double a) {
        return Math.abs(a) < Double.MIN_NORMAL
                ? Double.longBitsToDouble(Double.doubleToRawLongBits(a) & SIGN)
                : a;
    }
}
