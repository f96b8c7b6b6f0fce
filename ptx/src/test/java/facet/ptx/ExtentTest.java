package facet.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against numbers that do not overflow. */
final class ExtentTest {
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
    private final SplittableRandom random = new SplittableRandom(12);

    /** Near a power of two, as often as not. */
    private long any() {
        long near = 1L << random.nextInt(64);
        return switch (random.nextInt(3)) {
            case 0 -> near + random.nextInt(-40, 41);
            case 1 -> random.nextInt(100);
            default -> random.nextLong();
        };
    }

    private long size() {
        return any() & Long.MAX_VALUE;
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }

    private static long bounded(BigInteger exact) {
        return exact.min(MOST).longValueExact();
    }

    @Test
    void sizesAreExactOrBeyond() {
        for (int i = 0; i < 200_000; i++) {
            long a = size();
            long b = size();
            assertEquals(bounded(big(a).add(big(b))), Extent.sum(a, b), a + " + " + b);
            assertEquals(bounded(big(a).multiply(big(b))), Extent.product(a, b), a + " * " + b);
        }
    }

    @Test
    void alignedSizesAreExactOrBeyond() {
        for (int i = 0; i < 200_000; i++) {
            long bytes = size();
            long alignment = 1L << random.nextInt(40);
            BigInteger step = big(alignment);
            BigInteger up = big(bytes).add(step).subtract(BigInteger.ONE).divide(step);
            assertEquals(
                    bounded(up.multiply(step)),
                    Extent.align(bytes, alignment),
                    bytes + " to " + alignment);
        }
    }

    @Test
    void containsWhatLiesInside() {
        for (int i = 0; i < 500_000; i++) {
            long size = size();
            long offset = random.nextBoolean() ? any() : size + random.nextInt(-40, 41);
            long width = random.nextBoolean() ? 1L << random.nextInt(6) : size();
            boolean inside = offset >= 0 && big(offset).add(big(width)).compareTo(big(size)) <= 0;
            assertEquals(
                    inside,
                    Extent.contains(size, offset, width),
                    width + " at " + offset + " of " + size);
        }
    }

    @Test
    void distancesAreExactOrBeyond() {
        for (int i = 0; i < 200_000; i++) {
            long a = any();
            long b = any();
            long low = Math.min(a, b);
            long high = Math.max(a, b);
            assertEquals(bounded(big(high).subtract(big(low))), Extent.distance(low, high));
        }
    }

    @Test
    void refusesWhatIsNoSize() {
        assertThrows(IllegalArgumentException.class, () -> Extent.sum(-1, 2));
        assertThrows(IllegalArgumentException.class, () -> Extent.product(2, -1));
        assertThrows(IllegalArgumentException.class, () -> Extent.align(8, 0));
        assertThrows(IllegalArgumentException.class, () -> Extent.align(8, 24));
        assertThrows(IllegalArgumentException.class, () -> Extent.align(8, Long.MIN_VALUE));
        assertThrows(IllegalArgumentException.class, () -> Extent.contains(-1, 0, 1));
    }
}
