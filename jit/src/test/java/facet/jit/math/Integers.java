package facet.jit.math;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Integer operands as bit patterns, and their reading as exact numbers. */
final class Integers {
    private Integers() {}

    /** Powers of two and their neighbours up to the width, and shift amounts around the widths. */
    static long[] edges(int width) {
        LongStream powers =
                IntStream.of(0, 1, 4, 7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 62, 63)
                        .filter(bit -> bit < width)
                        .mapToLong(bit -> 1L << bit)
                        .flatMap(power -> LongStream.of(power - 1, power, -power));
        LongStream others = LongStream.of(33, 64, 65, 0xff, 0x1_01, 0x5555_5555_5555_5555L);
        return LongStream.concat(powers, others)
                .map(value -> value & mask(width))
                .distinct()
                .toArray();
    }

    /** A pattern whose number of significant bits is uniform. */
    static long random(SplittableRandom random, int width) {
        long bits = random.nextLong() >> random.nextInt(64);
        return bits & mask(width);
    }

    static long mask(int width) {
        return width == 64 ? -1 : (1L << width) - 1;
    }

    static BigInteger signed(long bits, int width) {
        return BigInteger.valueOf(bits << (64 - width) >> (64 - width));
    }

    static BigInteger unsigned(long bits, int width) {
        return BigInteger.valueOf(bits).and(allOnes(width));
    }

    static BigInteger allOnes(int width) {
        return BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
    }

    static BigInteger clamp(BigInteger value, boolean signed, int width) {
        BigInteger low = signed ? BigInteger.ONE.shiftLeft(width - 1).negate() : BigInteger.ZERO;
        BigInteger high = allOnes(signed ? width - 1 : width);
        return value.max(low).min(high);
    }
}
