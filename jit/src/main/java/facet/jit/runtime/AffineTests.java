package facet.jit.runtime;

/**
 * Decides for all lanes of {@code first, first + stride, …, first + delta} at once: 1 or 0 when
 * they agree, -1 when they do not or the sequence wraps around.
 *
 * <p>Relations are numbered: 0 eq, 1 ne, 2 lt, 3 le, 4 gt, 5 ge.
 */
public final class AffineTests {
    private AffineTests() {}

    public static boolean wrapsS32(int first, int delta) {
        int last = first + delta;
        return ((first ^ last) & (delta ^ last)) < 0;
    }

    public static boolean wrapsU32(int first, int delta) {
        return delta > 0
                ? Integer.compareUnsigned(first + delta, first) < 0
                : Integer.compareUnsigned(first + delta, first) > 0;
    }

    // Quotients never fall, or never rise, as the dividend rises; without a divisor all are -1.

    public static boolean sameQuotientS32(int first, int delta, int divisor) {
        return !wrapsS32(first, delta)
                && divisor != 0
                && first / divisor == (first + delta) / divisor;
    }

    public static boolean sameQuotientU32(int first, int delta, int divisor) {
        return !wrapsU32(first, delta)
                && divisor != 0
                && Integer.divideUnsigned(first, divisor)
                        == Integer.divideUnsigned(first + delta, divisor);
    }

    public static boolean sameShiftS32(int first, int delta, int by) {
        return !wrapsS32(first, delta) && first >> by == first + delta >> by;
    }

    public static boolean sameShiftU32(int first, int delta, int by) {
        return !wrapsU32(first, delta) && first >>> by == first + delta >>> by;
    }

    public static int testS32(int first, int delta, int other, int relation) {
        return wrapsS32(first, delta) ? -1 : test(first, (long) first + delta, other, relation);
    }

    public static int testU32(int first, int delta, int other, int relation) {
        if (wrapsU32(first, delta)) {
            return -1;
        }
        long from = Integer.toUnsignedLong(first);
        return test(from, from + delta, Integer.toUnsignedLong(other), relation);
    }

    public static int testS64(long first, int delta, long other, int relation) {
        long last = first + delta;
        return ((first ^ last) & (delta ^ last)) < 0 ? -1 : test(first, last, other, relation);
    }

    public static int testU64(long first, int delta, long other, int relation) {
        return testS64(first ^ Long.MIN_VALUE, delta, other ^ Long.MIN_VALUE, relation);
    }

    private static int test(long first, long last, long other, int relation) {
        return switch (relation) {
            case 0 -> outside(first, last, other) ? 0 : -1;
            case 1 -> outside(first, last, other) ? 1 : -1;
            case 2 -> agree(first < other, last < other);
            case 3 -> agree(first <= other, last <= other);
            case 4 -> agree(first > other, last > other);
            default -> agree(first >= other, last >= other);
        };
    }

    private static boolean outside(long first, long last, long other) {
        return other < Math.min(first, last) || other > Math.max(first, last);
    }

    private static int agree(boolean a, boolean b) {
        return a != b ? -1 : a ? 1 : 0;
    }
}
