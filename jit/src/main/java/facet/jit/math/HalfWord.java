package facet.jit.math;

/**
 * What f16 and bf16 share: both are sign, exponent, mantissa in 16 bits, so that magnitudes compare
 * like integers and a neighbour is one step away. {@code infinity} is the bit pattern of +infinity,
 * which tells the two apart; magnitudes above it are NaN.
 */
final class HalfWord {
    static final int CANONICAL_NAN = 0x7fff;
    static final int SIGN = 0x8000;
    static final int MAGNITUDE = 0x7fff;

    private HalfWord() {}

    static boolean isNan(int a, int infinity) {
        return (a & MAGNITUDE) > infinity;
    }

    static int min(int a, int b, int infinity) {
        if (isNan(a, infinity) || isNan(b, infinity)) {
            return theNumberOf(a, b, infinity);
        }
        return order(a) <= order(b) ? a : b;
    }

    static int max(int a, int b, int infinity) {
        if (isNan(a, infinity) || isNan(b, infinity)) {
            return theNumberOf(a, b, infinity);
        }
        return order(a) >= order(b) ? a : b;
    }

    static int minNan(int a, int b, int infinity) {
        if (isNan(a, infinity) || isNan(b, infinity)) {
            return CANONICAL_NAN;
        }
        return order(a) <= order(b) ? a : b;
    }

    static int maxNan(int a, int b, int infinity) {
        if (isNan(a, infinity) || isNan(b, infinity)) {
            return CANONICAL_NAN;
        }
        return order(a) >= order(b) ? a : b;
    }

    /** The sign bits of both operands count, also that of a NaN which lost against a number. */
    static int withXorsign(int magnitude, int a, int b, int infinity) {
        return isNan(magnitude, infinity) ? CANONICAL_NAN : magnitude | (a ^ b) & SIGN;
    }

    static int relu(int a, int infinity) {
        return isNan(a, infinity) ? CANONICAL_NAN : (a & SIGN) != 0 ? 0 : a;
    }

    static int satfinite(int a, int infinity) {
        return (a & MAGNITUDE) == infinity ? a - 1 : a;
    }

    static int towardsZero(int a) {
        return a - 1;
    }

    static int down(int a) {
        return a == 0 ? SIGN + 1 : (a & SIGN) != 0 ? a + 1 : a - 1;
    }

    static int up(int a) {
        return a == SIGN ? 1 : (a & SIGN) != 0 ? a - 1 : a + 1;
    }

    private static int theNumberOf(int a, int b, int infinity) {
        return !isNan(a, infinity) ? a : !isNan(b, infinity) ? b : CANONICAL_NAN;
    }

    /** Maps to integers of the same order, −0 below +0. */
    private static int order(int a) {
        int extended = (short) a;
        return extended ^ ((extended >> 31) & MAGNITUDE);
    }
}
