package facet.device.cpu.kernels;

import java.util.Random;

/** Random inputs that can be had again from their seed. */
final class Inputs {
    private final long seed;
    private final Random random;

    private Inputs(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** With the seed of the property {@code facet.seed}, or always the same. */
    static Inputs fresh() {
        return new Inputs(Long.getLong("facet.seed", 20261117));
    }

    long seed() {
        return seed;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    int[] ints(int count) {
        return random.ints(count).toArray();
    }

    /** From low to high, without high. */
    int[] ints(int count, int low, int high) {
        return random.ints(count, low, high).toArray();
    }

    /** Small, large, negative and those with few bits; never 0. */
    int[] mixedInts(int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            int value = random.nextInt() >> random.nextInt(32);
            values[i] = value == 0 ? 1 : value;
        }
        return values;
    }

    long[] longs(int count) {
        return random.longs(count).toArray();
    }

    /** As {@link #mixedInts}. */
    long[] mixedLongs(int count) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            long value = random.nextLong() >> random.nextInt(64);
            values[i] = value == 0 ? 1 : value;
        }
        return values;
    }

    float[] floats(int count, float low, float high) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = low + (high - low) * random.nextFloat();
        }
        return values;
    }

    double[] doubles(int count, double low, double high) {
        return random.doubles(count, low, high).toArray();
    }

    byte[] bytes(int count) {
        byte[] values = new byte[count];
        random.nextBytes(values);
        return values;
    }

    short[] shorts(int count) {
        short[] values = new short[count];
        for (int i = 0; i < count; i++) {
            values[i] = (short) random.nextInt();
        }
        return values;
    }
}
