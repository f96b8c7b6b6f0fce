package facet.jit.texture;

import facet.jit.runtime.AccessUnsafe;

/** How a channel in memory becomes a value (CUDA programming guide, Texture Memory: read mode). */
enum Reading {
    U8,
    U16,
    B32,
    S8,
    S16,
    F16,
    F32,
    FRACTION_U8,
    FRACTION_U16,
    FRACTION_S8,
    FRACTION_S16,
    SRGB;

    private static final float[] FRACTIONS_U8 = new float[256];
    private static final float[] FRACTIONS_S8 = new float[256];
    private static final float[] LINEAR = new float[256];

    static {
        for (int i = 0; i < 256; i++) {
            FRACTIONS_U8[i] = i / 255f;
            FRACTIONS_S8[i] = Math.max((byte) i / 127f, -1);
            double value = i / 255.0;
            LINEAR[i] =
                    (float)
                            (value <= 0.04045
                                    ? value / 12.92
                                    : Math.pow((value + 0.055) / 1.055, 2.4));
        }
    }

    static Reading of(Format format, Sampling sampling) {
        boolean fractions = sampling.fractions() && format.isFraction();
        return switch (format) {
            case U8 -> fractions ? sampling.srgb() ? SRGB : FRACTION_U8 : U8;
            case U16 -> fractions ? FRACTION_U16 : U16;
            case S8 -> fractions ? FRACTION_S8 : S8;
            case S16 -> fractions ? FRACTION_S16 : S16;
            case U32, S32 -> B32;
            case F16 -> F16;
            case F32 -> F32;
        };
    }

    boolean isFloat() {
        return switch (this) {
            case U8, U16, B32, S8, S16 -> false;
            case F16, F32, FRACTION_U8, FRACTION_U16, FRACTION_S8, FRACTION_S16, SRGB -> true;
        };
    }

    /** A channel of the element at an address of this process that was checked. */
    float value(long raw, int channel) {
        return switch (this) {
            case F32 -> AccessUnsafe.getF32(raw + 4L * channel);
            case FRACTION_U8 -> FRACTIONS_U8[AccessUnsafe.getU8(raw + channel)];
            case F16 -> Float.float16ToFloat((short) AccessUnsafe.getU16(raw + 2L * channel));
            case FRACTION_U16 -> AccessUnsafe.getU16(raw + 2L * channel) / 65535f;
            case FRACTION_S8 -> FRACTIONS_S8[AccessUnsafe.getU8(raw + channel)];
            case FRACTION_S16 -> Math.max(AccessUnsafe.getS16(raw + 2L * channel) / 32767f, -1);
            case SRGB -> (channel < 3 ? LINEAR : FRACTIONS_U8)[AccessUnsafe.getU8(raw + channel)];
            case U8, U16, B32, S8, S16 -> Float.intBitsToFloat(bits(raw, channel));
        };
    }

    /** The same as 32 bits: integers as they are. */
    int bits(long raw, int channel) {
        return switch (this) {
            case F32, B32 -> AccessUnsafe.getB32(raw + 4L * channel);
            case U8 -> AccessUnsafe.getU8(raw + channel);
            case U16 -> AccessUnsafe.getU16(raw + 2L * channel);
            case S8 -> AccessUnsafe.getS8(raw + channel);
            case S16 -> AccessUnsafe.getS16(raw + 2L * channel);
            case F16, FRACTION_U8, FRACTION_U16, FRACTION_S8, FRACTION_S16, SRGB ->
                    Float.floatToRawIntBits(value(raw, channel));
        };
    }
}
