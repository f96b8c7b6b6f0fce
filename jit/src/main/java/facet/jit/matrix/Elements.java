package facet.jit.matrix;

import facet.jit.math.Minifloat;

/** Between the registers of a fragment and a matrix by rows. */
final class Elements {
    private static final int NAN = 0x7fff_ffff;
    private static final int HALF_NAN = 0x7fff;

    private Elements() {}

    /** Reads {@link Scratch#words} as floats. */
    static void floats(Fragment fragment, Scratch scratch, float[] into) {
        int size = fragment.rows() * fragment.columns();
        boolean identity = fragment.isIdentity();
        float[] ordered = identity ? into : scratch.floats;
        int count = identity ? size : fragment.places().length;
        int[] words = scratch.words;
        switch (fragment.element()) {
            case F16 -> {
                ArraysUnsafe.halves(words, scratch.halves, count);
                half(scratch.halves, ordered, count);
            }
            case BF16 -> {
                ArraysUnsafe.halves(words, scratch.halves, count);
                brain(scratch.halves, ordered, count);
            }
            case TF32 -> {
                for (int i = 0; i < count; i++) {
                    ordered[i] = Float.intBitsToFloat(words[i] & 0xffff_e000);
                }
            }
            case E4M3 -> bytes(Minifloat.E4M3, words, ordered, count);
            case E5M2 -> bytes(Minifloat.E5M2, words, ordered, count);
            case F32 -> {
                for (int i = 0; i < count; i++) {
                    ordered[i] = Float.intBitsToFloat(words[i]);
                }
            }
            case F64, S8, U8, S4, U4, S32, B1 ->
                    throw new IllegalArgumentException("no floats: " + fragment.element());
        }
        if (!identity) {
            int[] places = fragment.places();
            for (int i = 0; i < count; i++) {
                into[places[i]] = ordered[i];
            }
        }
    }

    private static void half(short[] from, float[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Float.float16ToFloat(from[i]);
        }
    }

    private static void brain(short[] from, float[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Float.intBitsToFloat(from[i] << 16);
        }
    }

    private static void bytes(Minifloat format, int[] words, float[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = format.decode(words[i >>> 2] >>> ((i & 3) << 3));
        }
    }

    /** Writes sums as f32 or f16 to {@link Scratch#words}. */
    static void fromFloats(Fragment fragment, float[] from, Scratch scratch) {
        int[] places = fragment.places();
        int[] words = scratch.words;
        if (fragment.element() == Element.F32) {
            for (int i = 0; i < places.length; i++) {
                float value = from[places[i]];
                words[i] = Float.isNaN(value) ? NAN : Float.floatToRawIntBits(value);
            }
            return;
        }
        for (int i = 0; i < places.length; i += 2) {
            words[i >>> 1] = half(from[places[i]]) | half(from[places[i + 1]]) << 16;
        }
    }

    private static int half(float value) {
        return Float.isNaN(value) ? HALF_NAN : Float.floatToFloat16(value) & 0xffff;
    }

    /** Reads {@link Scratch#words} as integers, or as words of single bits. */
    static void integers(Fragment fragment, Scratch scratch, int[] into) {
        int[] places = fragment.places();
        int[] words = scratch.words;
        switch (fragment.element()) {
            case S8 -> signed(words, places, into, 8);
            case U8 -> unsigned(words, places, into, 8);
            case S4 -> signed(words, places, into, 4);
            case U4 -> unsigned(words, places, into, 4);
            case S32, B1 -> {
                for (int i = 0; i < places.length; i++) {
                    into[places[i]] = words[i];
                }
            }
            case F16, BF16, TF32, E4M3, E5M2, F32, F64 ->
                    throw new IllegalArgumentException("no integers: " + fragment.element());
        }
    }

    private static void signed(int[] words, int[] places, int[] into, int bits) {
        int i = 0;
        for (int word = 0; i < places.length; word++) {
            int value = words[word];
            for (int at = 32 - bits; at >= 0; at -= bits) {
                into[places[i++]] = value << at >> 32 - bits;
            }
        }
    }

    private static void unsigned(int[] words, int[] places, int[] into, int bits) {
        int mask = (1 << bits) - 1;
        int i = 0;
        for (int word = 0; i < places.length; word++) {
            int value = words[word];
            for (int at = 0; at < 32; at += bits) {
                into[places[i++]] = value >>> at & mask;
            }
        }
    }

    static void fromIntegers(Fragment fragment, int[] from, Scratch scratch) {
        int[] places = fragment.places();
        for (int i = 0; i < places.length; i++) {
            scratch.words[i] = from[places[i]];
        }
    }

    static void doubles(Fragment fragment, Scratch scratch, double[] into) {
        int[] places = fragment.places();
        for (int i = 0; i < places.length; i++) {
            into[places[i]] = Double.longBitsToDouble(scratch.longs[i]);
        }
    }

    static void fromDoubles(Fragment fragment, double[] from, Scratch scratch) {
        int[] places = fragment.places();
        for (int i = 0; i < places.length; i++) {
            scratch.longs[i] = Double.doubleToRawLongBits(from[places[i]]);
        }
    }
}
