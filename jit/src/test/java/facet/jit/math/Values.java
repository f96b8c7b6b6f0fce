package facet.jit.math;

import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Operands for tests: edges of a format, and random ones replayable with -Dfacet.seed=N. */
final class Values {
    static final long SEED = Long.getLong("facet.seed", 20261117);

    private final SplittableRandom random;
    private final Format format;
    private final double[] edges;

    Values(Format format) {
        this.random = new SplittableRandom(SEED);
        this.format = format;
        this.edges = edges(format);
    }

    static String seed() {
        return " (replay with -Dfacet.seed=" + SEED + ")";
    }

    /** Zeros, subnormals, powers of two and their neighbours, ties, the largest, infinity, NaN. */
    static long[] edgeBits(Format format) {
        int fraction = format.precision - 1;
        long one = (long) (1 - format.minExponent) << fraction;
        long step = 1L << fraction;
        return LongStream.of(
                        0,
                        1,
                        2,
                        3,
                        step / 2,
                        step - 1,
                        step,
                        step + 1,
                        step + 2,
                        2 * step - 1,
                        one - step,
                        one - 2,
                        one - 1,
                        one,
                        one + 1,
                        one + 2,
                        one + 3,
                        one + step / 2,
                        one + step - 1,
                        one + step,
                        one + step + 1,
                        one + 2 * step + step / 2,
                        one + fraction * step,
                        one + fraction * step + 1,
                        one + (fraction + 1) * step - 1,
                        one + (fraction + 1) * step,
                        one - (fraction + 1) * step,
                        one - (fraction + 2) * step,
                        one - (fraction + 2) * step + 1,
                        format.infinity() - step,
                        format.infinity() - 2,
                        format.infinity() - 1,
                        format.infinity(),
                        format.infinity() + 1,
                        format.infinity() + step / 2)
                .flatMap(bits -> LongStream.of(bits, bits | format.signBit()))
                .toArray();
    }

    static double[] edges(Format format) {
        return LongStream.of(edgeBits(format)).mapToDouble(format::value).toArray();
    }

    DoubleStream edges() {
        return DoubleStream.of(edges);
    }

    /** Any bit pattern, an edge, or a number of moderate size. */
    double next() {
        return switch (random.nextInt(4)) {
            case 0 -> edges[random.nextInt(edges.length)];
            case 1 -> moderate(0, 4);
            default -> format.value(random.nextLong() & (2 * format.signBit() - 1));
        };
    }

    /** A number close enough in size to the other one for sums to interact. */
    double near(double other) {
        if (random.nextInt(4) == 0 || !Double.isFinite(other)) {
            return next();
        }
        return moderate(Math.getExponent(other), format.precision + 3);
    }

    /** A number such that the product has about the size of the result. */
    double partner(double factor, int exponent) {
        return moderate(exponent - Math.getExponent(factor), 3);
    }

    int nextExponent() {
        return random.nextInt(format.minExponent - format.precision - 2, format.maxExponent + 2);
    }

    private double moderate(int exponent, int spread) {
        int near = exponent + random.nextInt(-spread, spread + 1);
        int clamped = Math.max(format.minExponent, Math.min(format.maxExponent, near));
        int fraction = format.precision - 1;
        long bits = random.nextLong() & ((1L << fraction) - 1);
        if (random.nextInt(3) == 0) {
            // Few significant bits: exact results and ties become common.
            bits &= -1L << random.nextInt(fraction + 1);
        }
        bits |= (long) (clamped - format.minExponent + 1) << fraction;
        return format.value(random.nextBoolean() ? bits : bits | format.signBit());
    }
}
