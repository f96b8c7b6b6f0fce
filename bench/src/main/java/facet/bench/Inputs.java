package facet.bench;

/** The inputs that bench/README.md defines; bench/baseline/inputs.c makes the same. */
final class Inputs {
    private Inputs() {}

    /** The 32-bit finaliser of MurmurHash3. */
    private static int hash(int value) {
        int h = value;
        h ^= h >>> 16;
        h *= 0x85ebca6b;
        h ^= h >>> 13;
        h *= 0xc2b2ae35;
        return h ^ h >>> 16;
    }

    /** Values from 0 up to 1. */
    static float[] values(int stream, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (hash(stream << 24 | i) >>> 8) / 16777216.0f;
        }
        return values;
    }

    static int[] words(int stream, int count) {
        int[] words = new int[count];
        for (int i = 0; i < count; i++) {
            words[i] = hash(stream << 24 | i);
        }
        return words;
    }

    /** Squaring favours low bytes, so that a permutation of bins does not go unseen. */
    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            int v = hash(i) >>> 16;
            bytes[i] = (byte) (v * v >>> 24);
        }
        return bytes;
    }
}
