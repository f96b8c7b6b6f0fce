package facet.jit.runtime;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * What vector code does: one lane a thread. Names are an instruction's opcode and type; the emitter
 * finds methods by name.
 *
 * <p>Arithmetic of hot loops is not here: {@link RowIntrinsicsUnsafe}.
 */
public final class VectorsUnsafe {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = Lanes.COUNT;

    /** A predicate that is set in all lanes. */
    public static final int ALL = (1 << LANES) - 1;

    private static final IntVector IOTA = IntVector.zero(INTS).addIndex(1);

    private VectorsUnsafe() {}

    // ---- between scalars, arrays and vectors

    public static FloatVector spreadF32(float value) {
        return FloatVector.broadcast(FLOATS, value);
    }

    public static IntVector spreadB32(int value) {
        return IntVector.broadcast(INTS, value);
    }

    public static IntVector rampB32(int first, int stride) {
        return IOTA.mul(stride).add(first);
    }

    public static IntVector asInts(FloatVector value) {
        return value.reinterpretAsInts();
    }

    public static FloatVector asFloats(IntVector value) {
        return value.reinterpretAsFloats();
    }

    public static void putF32(FloatVector value, float[] into, int at) {
        value.intoArray(into, at);
    }

    public static void putB32(IntVector value, int[] into, int at) {
        value.intoArray(into, at);
    }

    public static void putPred(int value, int[] into, int at) {
        IntVector.zero(INTS).blend(1, VectorMask.fromLong(INTS, value)).intoArray(into, at);
    }

    public static FloatVector getF32(float[] from, int at) {
        return FloatVector.fromArray(FLOATS, from, at);
    }

    public static IntVector getB32(int[] from, int at) {
        return IntVector.fromArray(INTS, from, at);
    }

    public static int getPred(int[] from, int at) {
        return bits(IntVector.fromArray(INTS, from, at).compare(VectorOperators.NE, 0));
    }

    // ---- slots of a block

    public static IntVector reloadB32(int[] slots, int at) {
        return IntVector.fromArray(INTS, slots, at);
    }

    public static FloatVector reloadF32(int[] slots, int at) {
        return IntVector.fromArray(INTS, slots, at).reinterpretAsFloats();
    }

    public static int reloadPred(int[] slots, int at) {
        return bits(IntVector.fromArray(INTS, slots, at).compare(VectorOperators.NE, 0));
    }

    public static void saveB32(int[] slots, int at, IntVector value) {
        value.intoArray(slots, at);
    }

    public static void saveF32(int[] slots, int at, FloatVector value) {
        value.reinterpretAsInts().intoArray(slots, at);
    }

    public static void savePred(int[] slots, int at, int value) {
        IntVector.zero(INTS).blend(1, VectorMask.fromLong(INTS, value)).intoArray(slots, at);
    }

    // Plain loops: C2 makes vectors of them, and where it does not, they allocate nothing.

    public static void saveRamp(int[] slots, int at, int first, int stride, int lanes) {
        for (int i = 0; i < lanes; i++) {
            slots[at + i] = first + i * stride;
        }
    }

    public static void saveLongRamp(long[] slots, int at, long first, long stride, int lanes) {
        for (int i = 0; i < lanes; i++) {
            slots[at + i] = first + i * stride;
        }
    }

    public static boolean isRamp(int[] slots, int at, int stride, int lanes) {
        int first = slots[at];
        int difference = 0;
        for (int i = 1; i < lanes; i++) {
            difference |= slots[at + i] ^ first + i * stride;
        }
        return difference == 0;
    }

    public static boolean isLongRamp(long[] slots, int at, long stride, int lanes) {
        long first = slots[at];
        long difference = 0;
        for (int i = 1; i < lanes; i++) {
            difference |= slots[at + i] ^ first + i * stride;
        }
        return difference == 0;
    }

    public static void setState(int[] state, int at, int value) {
        IntVector.broadcast(INTS, value).intoArray(state, at);
    }

    public static boolean isState(int[] state, int at, int value) {
        return IntVector.fromArray(INTS, state, at).eq(value).allTrue();
    }

    // ---- memory

    /**
     * Checks so many bytes for each lane from the address on; throws for the first lane outside.
     */
    public static long checkRow(long address, long base, long size, int width, int lanes) {
        if (!isRow(address, base, size, width, lanes)) {
            throw rowFault(address, base, size, width, lanes);
        }
        return address;
    }

    /** Whether so many bytes for each lane from the address on are there, and aligned. */
    public static boolean isRow(long address, long base, long size, int width, int lanes) {
        long offset = address - base;
        // Right for sizes below a row too: the difference is then negative, and no offset passes.
        return (address & (width - 1)) == 0 && offset >= 0 && offset <= size - (long) width * lanes;
    }

    static KernelFault rowFault(long address, long base, long size, int width, int lanes) {
        int lane = 0;
        while (lane < lanes - 1
                && (address & (width - 1)) == 0
                && Long.compareUnsigned(address + (long) width * lane - base, size) < 0) {
            lane++;
        }
        return AccessUnsafe.fault(address + (long) width * lane, width).inLane(lane);
    }

    // ---- arithmetic

    public static FloatVector negF32(FloatVector a) {
        return a.neg();
    }

    public static FloatVector absF32(FloatVector a) {
        return a.abs();
    }

    /** As {@code F32.ftz}. */
    public static FloatVector flushF32(FloatVector a) {
        FloatVector zero = a.reinterpretAsInts().and(Integer.MIN_VALUE).reinterpretAsFloats();
        return a.blend(zero, a.abs().compare(VectorOperators.LT, Float.MIN_NORMAL));
    }

    /** As {@code F32.divApprox}: a divisor above 2^126 has a reciprocal that counts as zero. */
    public static FloatVector divApproxF32(FloatVector a, FloatVector b) {
        FloatVector zero = b.reinterpretAsInts().and(Integer.MIN_VALUE).reinterpretAsFloats();
        return a.div(b).blend(a.mul(zero), b.abs().compare(VectorOperators.GT, 0x1p126f));
    }

    /** As {@code F32.min}: of a number and what is none, the number. */
    public static FloatVector minF32(FloatVector a, FloatVector b) {
        return numberOf(a.min(b), a, b);
    }

    public static FloatVector maxF32(FloatVector a, FloatVector b) {
        return numberOf(a.max(b), a, b);
    }

    private static FloatVector numberOf(FloatVector result, FloatVector a, FloatVector b) {
        VectorMask<Float> none = a.compare(VectorOperators.NE, a);
        VectorMask<Float> other = b.compare(VectorOperators.NE, b);
        return result.blend(b, none)
                .blend(a, other)
                .blend(Float.intBitsToFloat(0x7fff_ffff), none.and(other));
    }

    public static IntVector minU32(IntVector a, IntVector b) {
        return b.blend(a, a.compare(VectorOperators.ULT, b));
    }

    public static IntVector maxU32(IntVector a, IntVector b) {
        return b.blend(a, a.compare(VectorOperators.UGT, b));
    }

    public static IntVector absS32(IntVector a) {
        return a.abs();
    }

    public static IntVector notB32(IntVector a) {
        return a.not();
    }

    public static IntVector negB32(IntVector a) {
        return a.neg();
    }

    public static IntVector minS32(IntVector a, IntVector b) {
        return a.min(b);
    }

    public static IntVector maxS32(IntVector a, IntVector b) {
        return a.max(b);
    }

    public static IntVector shlB32(IntVector a, int amount) {
        return a.lanewise(VectorOperators.LSHL, amount);
    }

    public static IntVector shrS32(IntVector a, int amount) {
        return a.lanewise(VectorOperators.ASHR, amount);
    }

    public static IntVector shrU32(IntVector a, int amount) {
        return a.lanewise(VectorOperators.LSHR, amount);
    }

    public static FloatVector convertS32(IntVector a) {
        return (FloatVector) a.convert(VectorOperators.I2F, 0);
    }

    public static IntVector convertF32(FloatVector a) {
        return (IntVector) a.convert(VectorOperators.F2I, 0);
    }

    // ---- predicates: a bit a lane, the first lane's lowest

    private static int bits(VectorMask<?> mask) {
        return (int) mask.toLong();
    }

    public static int andPred(int a, int b) {
        return a & b;
    }

    public static int orPred(int a, int b) {
        return a | b;
    }

    public static int xorPred(int a, int b) {
        return a ^ b;
    }

    public static int notPred(int a) {
        return a ^ ALL;
    }

    /** What was, where the mask has no bit. */
    public static int selectPred(int a, int b, int p) {
        return a & p | b & ~p;
    }

    public static int ltF32(FloatVector a, FloatVector b) {
        return bits(a.compare(VectorOperators.LT, b));
    }

    public static int leF32(FloatVector a, FloatVector b) {
        return bits(a.compare(VectorOperators.LE, b));
    }

    public static int gtF32(FloatVector a, FloatVector b) {
        return bits(a.compare(VectorOperators.GT, b));
    }

    public static int geF32(FloatVector a, FloatVector b) {
        return bits(a.compare(VectorOperators.GE, b));
    }

    public static int eqF32(FloatVector a, FloatVector b) {
        return bits(a.compare(VectorOperators.EQ, b));
    }

    public static int neuF32(FloatVector a, FloatVector b) {
        return bits(a.compare(VectorOperators.NE, b));
    }

    public static int ltuF32(FloatVector a, FloatVector b) {
        return bits(a.compare(VectorOperators.GE, b)) ^ ALL;
    }

    public static int leuF32(FloatVector a, FloatVector b) {
        return bits(a.compare(VectorOperators.GT, b)) ^ ALL;
    }

    public static int gtuF32(FloatVector a, FloatVector b) {
        return bits(a.compare(VectorOperators.LE, b)) ^ ALL;
    }

    public static int geuF32(FloatVector a, FloatVector b) {
        return bits(a.compare(VectorOperators.LT, b)) ^ ALL;
    }

    public static int ltS32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.LT, b));
    }

    public static int leS32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.LE, b));
    }

    public static int gtS32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.GT, b));
    }

    public static int geS32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.GE, b));
    }

    public static int ltU32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.ULT, b));
    }

    public static int leU32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.ULE, b));
    }

    public static int gtU32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.UGT, b));
    }

    public static int geU32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.UGE, b));
    }

    public static int loU32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.ULT, b));
    }

    public static int lsU32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.ULE, b));
    }

    public static int hiU32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.UGT, b));
    }

    public static int hsU32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.UGE, b));
    }

    public static int eqB32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.EQ, b));
    }

    public static int neB32(IntVector a, IntVector b) {
        return bits(a.compare(VectorOperators.NE, b));
    }

    public static FloatVector selectF32(FloatVector a, FloatVector b, int p) {
        return b.blend(a, VectorMask.fromLong(FLOATS, p));
    }

    public static IntVector selectB32(IntVector a, IntVector b, int p) {
        return b.blend(a, VectorMask.fromLong(INTS, p));
    }

    public static IntVector zeroB32() {
        return IntVector.zero(INTS);
    }

    public static FloatVector zeroF32() {
        return FloatVector.zero(FLOATS);
    }

    public static int zeroPred() {
        return 0;
    }
}
