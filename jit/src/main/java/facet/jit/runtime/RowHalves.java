package facet.jit.runtime;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * f16 arithmetic of rows, from arrays to an array, with the results of {@code facet.jit.math.F16}.
 * Compiled by themselves, as {@link RowFunctions} are.
 */
public final class RowHalves {
    private static final int LANES = Lanes.COUNT;
    private static final int HALF = LANES / 2;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> HALF_FLOATS =
            VectorSpecies.of(float.class, VectorShape.forBitSize(HALF * Float.SIZE));

    private static final int INFINITY = 0x7c00;
    private static final int FLOAT_INFINITY = 0x7f80_0000;
    private static final int CANONICAL_NAN = 0x7fff;

    /** 2^-14 as a float: the least normal half. */
    private static final int LEAST_NORMAL = 113 << 23;

    /** 2^16: from here on a float is beyond all halves, whatever is rounded. */
    private static final int BEYOND = 143 << 23;

    /** Added to a float below 2^-14, leaves it in units of the least half in its lowest bits. */
    private static final int TO_UNITS = 126 << 23;

    private RowHalves() {}

    private static FloatVector floats(IntVector h) {
        IntVector size = h.and(0x7fff);
        IntVector shifted = size.lanewise(VectorOperators.LSHL, 13);
        IntVector bits = shifted.reinterpretAsFloats().mul(0x1p112f).reinterpretAsInts();
        bits = bits.blend(shifted.or(FLOAT_INFINITY), size.compare(VectorOperators.GE, INFINITY));
        return bits.or(h.and(0x8000).lanewise(VectorOperators.LSHL, 16)).reinterpretAsFloats();
    }

    private static IntVector halves(FloatVector f) {
        IntVector bits = f.reinterpretAsInts();
        IntVector size = bits.and(Integer.MAX_VALUE);
        IntVector odd = size.lanewise(VectorOperators.LSHR, 13).and(1);
        IntVector normal =
                size.add(odd).add((-112 << 23) + 0xfff).lanewise(VectorOperators.LSHR, 13);
        IntVector small =
                size.reinterpretAsFloats()
                        .add(Float.intBitsToFloat(TO_UNITS))
                        .reinterpretAsInts()
                        .sub(TO_UNITS);
        IntVector result = normal.blend(small, size.compare(VectorOperators.LT, LEAST_NORMAL));
        result = result.blend(INFINITY, size.compare(VectorOperators.GE, BEYOND));
        result = result.or(bits.lanewise(VectorOperators.LSHR, 16).and(0x8000));
        VectorMask<Integer> none = size.compare(VectorOperators.GT, FLOAT_INFINITY);
        return result.blend(CANONICAL_NAN, none);
    }

    private static IntVector load(int[] from) {
        return IntVector.fromArray(INTS, from, 0);
    }

    private static IntVector low(IntVector pair) {
        return pair.and(0xffff);
    }

    private static IntVector high(IntVector pair) {
        return pair.lanewise(VectorOperators.LSHR, 16);
    }

    private static IntVector pair(IntVector low, IntVector high) {
        return low.or(high.lanewise(VectorOperators.LSHL, 16));
    }

    private static IntVector sum(IntVector a, IntVector b) {
        return halves(floats(a).add(floats(b)));
    }

    private static IntVector difference(IntVector a, IntVector b) {
        return halves(floats(a).sub(floats(b)));
    }

    private static IntVector product(IntVector a, IntVector b) {
        return halves(floats(a).mul(floats(b)));
    }

    public static void addF16Row(int[] a, int[] b, int[] into) {
        sum(load(a), load(b)).intoArray(into, 0);
    }

    public static void subF16Row(int[] a, int[] b, int[] into) {
        difference(load(a), load(b)).intoArray(into, 0);
    }

    public static void mulF16Row(int[] a, int[] b, int[] into) {
        product(load(a), load(b)).intoArray(into, 0);
    }

    public static void addH32Row(int[] a, int[] b, int[] into) {
        IntVector x = load(a);
        IntVector y = load(b);
        pair(sum(low(x), low(y)), sum(high(x), high(y))).intoArray(into, 0);
    }

    public static void subH32Row(int[] a, int[] b, int[] into) {
        IntVector x = load(a);
        IntVector y = load(b);
        pair(difference(low(x), low(y)), difference(high(x), high(y))).intoArray(into, 0);
    }

    public static void mulH32Row(int[] a, int[] b, int[] into) {
        IntVector x = load(a);
        IntVector y = load(b);
        pair(product(low(x), low(y)), product(high(x), high(y))).intoArray(into, 0);
    }

    public static void fmaF16Row(int[] a, int[] b, int[] c, int[] into) {
        fused(load(a), load(b), load(c)).intoArray(into, 0);
    }

    public static void fmaH32Row(int[] a, int[] b, int[] c, int[] into) {
        IntVector x = load(a);
        IntVector y = load(b);
        IntVector z = load(c);
        IntVector lower = fused(low(x), low(y), low(z));
        pair(lower, fused(high(x), high(y), high(z))).intoArray(into, 0);
    }

    /** In double, where the product is exact; the sum is rounded to odd before it is a float. */
    private static IntVector fused(IntVector a, IntVector b, IntVector c) {
        float[] x = floats(a).toArray();
        float[] y = floats(b).toArray();
        float[] z = floats(c).toArray();
        float[] sums = new float[LANES];
        for (int at = 0; at < LANES; at += HALF) {
            DoubleVector sum = wide(x, at).mul(wide(y, at)).add(wide(z, at));
            FloatVector odd =
                    (FloatVector) odd(sum).convertShape(VectorOperators.D2F, HALF_FLOATS, 0);
            odd.intoArray(sums, at);
        }
        return halves(FloatVector.fromArray(FloatVector.SPECIES_PREFERRED, sums, 0));
    }

    private static DoubleVector wide(float[] from, int at) {
        return (DoubleVector)
                FloatVector.fromArray(HALF_FLOATS, from, at)
                        .convertShape(VectorOperators.F2D, DOUBLES, 0);
    }

    /** Of 29 bits that a float does not have, one says whether any was set. */
    private static DoubleVector odd(DoubleVector a) {
        long rest = (1L << 29) - 1;
        LongVector bits = a.reinterpretAsLongs();
        return bits.or(bits.and(rest).add(rest)).and(~rest).reinterpretAsDoubles();
    }
}
