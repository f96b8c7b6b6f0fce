package facet.jit.math;

/**
 * Floats of 4, 6 and 8 bits (PTX ISA 5.2.3). None but e5m2 has an infinity, none but those of 8
 * bits a NaN; a conversion that finds no room takes the largest number, as {@code .satfinite} says.
 */
public enum Minifloat {
    E4M3(4, 3, 7, 0x7e, 0x7f),
    E5M2(5, 2, 15, 0x7b, 0x7f),
    E2M3(2, 3, 1, 0x1f, 0x1f),
    E3M2(3, 2, 3, 0x1f, 0x1f),
    E2M1(2, 1, 1, 0x7, 0x7);

    private final int exponentBits;
    private final int mantissaBits;
    private final int bias;
    private final int largest;
    private final int notANumber;

    @SuppressWarnings("ImmutableEnumChecker") // written in the constructor only
    private final float[] values;

    Minifloat(int exponentBits, int mantissaBits, int bias, int largest, int notANumber) {
        this.exponentBits = exponentBits;
        this.mantissaBits = mantissaBits;
        this.bias = bias;
        this.largest = largest;
        this.notANumber = notANumber;
        values = new float[1 << bits()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(i);
        }
    }

    public int bits() {
        return 1 + exponentBits + mantissaBits;
    }

    private float value(int code) {
        int sign = code >>> (bits() - 1);
        int magnitude = code & (1 << (bits() - 1)) - 1;
        float result;
        if (magnitude > largest) {
            // Of e5m2 the code after the largest is infinity; all others are no numbers.
            result = exponentBits == 5 && magnitude == 0x7c ? Float.POSITIVE_INFINITY : Float.NaN;
        } else {
            int exponent = Math.max(magnitude >>> mantissaBits, 1);
            int hidden = magnitude >>> mantissaBits == 0 ? 0 : 1 << mantissaBits;
            int mantissa = magnitude & (1 << mantissaBits) - 1 | hidden;
            result = Math.scalb((float) mantissa, exponent - bias - mantissaBits);
        }
        return sign == 0 ? result : -result;
    }

    /** What the low bits of the code stand for. */
    public float decode(int code) {
        return values[code & values.length - 1];
    }

    /** The nearest, of two the even one; the largest where it is out of range. */
    public int encode(double x, boolean relu) {
        if (Double.isNaN(x)) {
            return notANumber;
        }
        int sign = Double.doubleToRawLongBits(x) < 0 ? 1 << (bits() - 1) : 0;
        if (relu && sign != 0) {
            return 0;
        }
        double magnitude = Math.abs(x);
        if (magnitude > values[largest]) {
            return sign | largest;
        }
        int exponent = Math.max(Math.getExponent(magnitude), 1 - bias);
        // Both are exact: powers of two, in a range far from the ends of f64.
        int units = (int) Math.rint(Math.scalb(magnitude, mantissaBits - exponent));
        // A carry goes from the mantissa into the exponent by itself.
        int code = units + (exponent + bias - 1 << mantissaBits);
        return sign | Math.min(code, largest);
    }
}
