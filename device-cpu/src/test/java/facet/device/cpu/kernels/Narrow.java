package facet.device.cpu.kernels;

/** Rounding to the floats of 16 bits. Values are carried as float, which holds both kinds. */
final class Narrow {
    private Narrow() {}

    static float half(float value) {
        return Float.float16ToFloat(Float.floatToFloat16(value));
    }

    static float halfFma(float x, float y, float z) {
        return half(fmaToOdd(x, y, z));
    }

    /** Distance between the halves near the value. */
    static float halfUlp(float value) {
        return Math.max(0x1p-24f, 0x1p-10f * Math.ulp(value) * (1 << 23));
    }

    static float brain(float value) {
        int bits = Float.floatToRawIntBits(value);
        int rounded = bits + 0x7fff + (bits >>> 16 & 1);
        return Float.intBitsToFloat(rounded & 0xffff0000);
    }

    static float brainFma(float x, float y, float z) {
        return brain(fmaToOdd(x, y, z));
    }

    static short brainBits(float value) {
        return (short) (Float.floatToRawIntBits(brain(value)) >>> 16);
    }

    /**
     * x * y + z, rounded to odd twice, so that a last rounding to 16 bits is that of the exact
     * value. The product of two values of at most 11 significant bits is exact in double.
     */
    private static float fmaToOdd(float x, float y, float z) {
        double product = (double) x * y;
        double sum = product + z;
        if (Double.isInfinite(sum) || Double.isNaN(sum)) {
            return (float) sum;
        }
        double back = sum - product;
        double error = (product - (sum - back)) + (z - back);
        if (error != 0 && (Double.doubleToRawLongBits(sum) & 1) == 0) {
            sum = error > 0 ? Math.nextUp(sum) : Math.nextDown(sum);
        }
        float single = (float) sum;
        if (single != sum
                && !Float.isInfinite(single)
                && (Float.floatToRawIntBits(single) & 1) == 0) {
            single = single < sum ? Math.nextUp(single) : Math.nextDown(single);
        }
        return single;
    }
}
