package facet.jit.runtime;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector code of 64-bit values: a row takes two vectors, of its first and of its second half.
 * Predicates have the bits of one half here. Names are as in {@link VectorsUnsafe}.
 */
public final class WideVectors {
    private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** Lanes of a half. */
    public static final int HALF = Lanes.COUNT / 2;

    private static final VectorSpecies<Integer> HALF_INTS =
            VectorSpecies.of(int.class, VectorShape.forBitSize(HALF * Integer.SIZE));

    private static final LongVector IOTA = LongVector.zero(LONGS).addIndex(1);

    private WideVectors() {}

    // ---- between scalars, arrays and vectors

    public static LongVector rampB64(long first, long stride) {
        return IOTA.mul(stride).add(first);
    }

    public static LongVector asLongs(DoubleVector value) {
        return value.reinterpretAsLongs();
    }

    public static DoubleVector asDoubles(LongVector value) {
        return value.reinterpretAsDoubles();
    }

    public static void putB64(LongVector value, long[] into, int at) {
        value.intoArray(into, at);
    }

    public static void putF64(DoubleVector value, long[] into, int at) {
        value.reinterpretAsLongs().intoArray(into, at);
    }

    public static LongVector getB64(long[] from, int at) {
        return LongVector.fromArray(LONGS, from, at);
    }

    public static DoubleVector getF64(long[] from, int at) {
        return LongVector.fromArray(LONGS, from, at).reinterpretAsDoubles();
    }

    public static void saveB64(long[] slots, int at, LongVector value) {
        value.intoArray(slots, at);
    }

    public static void saveF64(long[] slots, int at, DoubleVector value) {
        value.reinterpretAsLongs().intoArray(slots, at);
    }

    public static LongVector zeroB64() {
        return LongVector.zero(LONGS);
    }

    public static DoubleVector zeroF64() {
        return DoubleVector.zero(DOUBLES);
    }

    // ---- between 32 and 64 bits, through an array: a half of a vector is no vector of its own

    public static LongVector signedB64(int[] from, int at) {
        return (LongVector)
                IntVector.fromArray(HALF_INTS, from, at)
                        .convertShape(VectorOperators.I2L, LONGS, 0);
    }

    public static LongVector unsignedB64(int[] from, int at) {
        return (LongVector)
                IntVector.fromArray(HALF_INTS, from, at)
                        .convertShape(VectorOperators.ZERO_EXTEND_I2L, LONGS, 0);
    }

    public static void narrowB64(LongVector value, int[] into, int at) {
        IntVector half = (IntVector) value.convertShape(VectorOperators.L2I, HALF_INTS, 0);
        half.intoArray(into, at);
    }

    // ---- arithmetic

    public static LongVector notB64(LongVector a) {
        return a.not();
    }

    public static LongVector negB64(LongVector a) {
        return a.neg();
    }

    public static DoubleVector negF64(DoubleVector a) {
        return a.neg();
    }

    public static DoubleVector absF64(DoubleVector a) {
        return a.abs();
    }

    public static LongVector minS64(LongVector a, LongVector b) {
        return a.min(b);
    }

    public static LongVector maxS64(LongVector a, LongVector b) {
        return a.max(b);
    }

    public static LongVector shlB64(LongVector a, int amount) {
        return a.lanewise(VectorOperators.LSHL, amount);
    }

    public static LongVector shrS64(LongVector a, int amount) {
        return a.lanewise(VectorOperators.ASHR, amount);
    }

    public static LongVector shrU64(LongVector a, int amount) {
        return a.lanewise(VectorOperators.LSHR, amount);
    }

    public static LongVector selectB64(LongVector a, LongVector b, int p) {
        return b.blend(a, VectorMask.fromLong(LONGS, p));
    }

    public static DoubleVector selectF64(DoubleVector a, DoubleVector b, int p) {
        return b.blend(a, VectorMask.fromLong(DOUBLES, p));
    }

    // ---- predicates

    private static int bits(VectorMask<?> mask) {
        return (int) mask.toLong();
    }

    public static int ltS64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.LT, b));
    }

    public static int leS64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.LE, b));
    }

    public static int gtS64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.GT, b));
    }

    public static int geS64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.GE, b));
    }

    public static int ltU64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.ULT, b));
    }

    public static int leU64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.ULE, b));
    }

    public static int gtU64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.UGT, b));
    }

    public static int geU64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.UGE, b));
    }

    public static int loU64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.ULT, b));
    }

    public static int lsU64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.ULE, b));
    }

    public static int hiU64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.UGT, b));
    }

    public static int hsU64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.UGE, b));
    }

    public static int eqB64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.EQ, b));
    }

    public static int neB64(LongVector a, LongVector b) {
        return bits(a.compare(VectorOperators.NE, b));
    }

    public static int ltF64(DoubleVector a, DoubleVector b) {
        return bits(a.compare(VectorOperators.LT, b));
    }

    public static int leF64(DoubleVector a, DoubleVector b) {
        return bits(a.compare(VectorOperators.LE, b));
    }

    public static int gtF64(DoubleVector a, DoubleVector b) {
        return bits(a.compare(VectorOperators.GT, b));
    }

    public static int geF64(DoubleVector a, DoubleVector b) {
        return bits(a.compare(VectorOperators.GE, b));
    }

    public static int eqF64(DoubleVector a, DoubleVector b) {
        return bits(a.compare(VectorOperators.EQ, b));
    }

    public static int neuF64(DoubleVector a, DoubleVector b) {
        return bits(a.compare(VectorOperators.NE, b));
    }
}
