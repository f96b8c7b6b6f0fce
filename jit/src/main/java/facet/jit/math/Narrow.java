package facet.jit.math;

/**
 * {@code cvt} between pairs of {@link Minifloat} and wider floats (PTX ISA 9.7.9.21). Elements of 6
 * bits have a byte each, those of 4 bits share one.
 */
public final class Narrow {
    private static final int HALF_NAN = 0x7fff;
    private static final int SCALE_NAN = 0xff;
    private static final int SCALE_MAX = 0xfe;

    private Narrow() {}

    public static int fromFloats(float high, float low, Minifloat format, boolean relu) {
        int shift = format.bits() == 4 ? 4 : 8;
        return format.encode(high, relu) << shift | format.encode(low, relu);
    }

    public static int fromHalves(int pair, Minifloat format, boolean relu) {
        return fromFloats(F16.toFloat(pair >>> 16), F16.toFloat(pair & 0xffff), format, relu);
    }

    /** Every number of these formats is one of f16. */
    public static int toHalves(int pair, Minifloat format, boolean relu) {
        int shift = format.bits() == 4 ? 4 : 8;
        return half(format.decode(pair >>> shift), relu) << 16 | half(format.decode(pair), relu);
    }

    private static int half(float value, boolean relu) {
        if (Float.isNaN(value)) {
            return HALF_NAN;
        }
        int bits = F16.fromFloatRn(value);
        return relu && bits >= 0x8000 ? 0 : bits;
    }

    /** ue8m0: a power of two, 2^(code - 127). Signs do not count; 0 is the smallest. */
    public static int toScales(float high, float low, boolean up, boolean satfinite) {
        return scale(high, up, satfinite) << 8 | scale(low, up, satfinite);
    }

    public static int brainToScales(int pair, boolean up, boolean satfinite) {
        return toScales(
                Float.intBitsToFloat(pair & 0xffff_0000),
                Float.intBitsToFloat(pair << 16),
                up,
                satfinite);
    }

    private static int scale(float value, boolean up, boolean satfinite) {
        if (Float.isNaN(value)) {
            return SCALE_NAN;
        }
        int bits = Float.floatToRawIntBits(value) & 0x7fff_ffff;
        int exponent = bits >>> 23;
        int fraction = bits & 0x7f_ffff;
        // Below the smallest normal number of f32 lies one power more, 2^-127.
        boolean above = exponent == 0 ? fraction > 0x40_0000 : fraction != 0;
        int code = exponent + (up && above ? 1 : 0);
        return code > SCALE_MAX ? satfinite ? SCALE_MAX : SCALE_NAN : code;
    }

    public static int fromScales(int pair) {
        return brain(pair >>> 8 & 0xff) << 16 | brain(pair & 0xff);
    }

    private static int brain(int code) {
        return code == SCALE_NAN ? HALF_NAN : code == 0 ? 0x40 : code << 7;
    }
}
