package facet.jit.math;

/**
 * Conversion with stochastic rounding (PTX ISA 9.0, 9.7.9.21, {@code .rs}): a random number below
 * one unit in the last place is added and what is below that place dropped. Of the random bits the
 * low half is for b, the high half for a: 13 bits each for f16, 16 for bf16.
 */
public final class Stochastic {
    private static final int F16_BITS = 13;
    private static final int BF16_BITS = 16;

    private Stochastic() {}

    /** The first operand goes to the upper half. */
    public static int f32ToF16x2Rs(float a, float b, int random) {
        return Packed.pack(
                F16.fromFloatRn(round(b, random, F16_BITS, -14, 10)),
                F16.fromFloatRn(round(a, random >>> 16, F16_BITS, -14, 10)));
    }

    public static int f32ToBf16x2Rs(float a, float b, int random) {
        return Packed.pack(
                BF16.fromFloatRn(round(b, random, BF16_BITS, -126, 7)),
                BF16.fromFloatRn(round(a, random >>> 16, BF16_BITS, -126, 7)));
    }

    /** A float that the format holds, or that is beyond its range. */
    private static float round(float value, int random, int bits, int lowest, int fraction) {
        if (Float.isNaN(value) || Float.isInfinite(value)) {
            return value;
        }
        int exponent = Math.max(Math.getExponent(value), lowest);
        double unit = Math.scalb(1.0, exponent - fraction);
        double part = Math.scalb((double) (random & (1 << bits) - 1), -bits);
        double magnitude = Math.floor(Math.abs(value) / unit + part) * unit;
        return (float) Math.copySign(magnitude, value);
    }
}
