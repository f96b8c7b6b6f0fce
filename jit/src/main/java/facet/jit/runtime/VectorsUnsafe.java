package facet.jit.runtime;

import java.util.Arrays;
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
    static final int ROW_BYTES = 4 * LANES;
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

    public static VectorMask<Integer> spreadPred(int value) {
        return INTS.maskAll(value != 0);
    }

    public static IntVector asInts(FloatVector value) {
        return value.reinterpretAsInts();
    }

    public static FloatVector asFloats(IntVector value) {
        return value.reinterpretAsFloats();
    }

    public static void putF32(FloatVector value, float[] into) {
        value.intoArray(into, 0);
    }

    public static void putB32(IntVector value, int[] into) {
        value.intoArray(into, 0);
    }

    public static void putPred(VectorMask<Integer> value, int[] into) {
        IntVector.zero(INTS).blend(1, value).intoArray(into, 0);
    }

    public static FloatVector getF32(float[] from) {
        return FloatVector.fromArray(FLOATS, from, 0);
    }

    public static IntVector getB32(int[] from) {
        return IntVector.fromArray(INTS, from, 0);
    }

    public static VectorMask<Integer> getPred(int[] from) {
        return IntVector.fromArray(INTS, from, 0).compare(VectorOperators.NE, 0);
    }

    // ---- slots of a block

    public static IntVector reloadB32(int[] slots, int at) {
        return IntVector.fromArray(INTS, slots, at);
    }

    public static FloatVector reloadF32(int[] slots, int at) {
        return IntVector.fromArray(INTS, slots, at).reinterpretAsFloats();
    }

    public static VectorMask<Integer> reloadPred(int[] slots, int at) {
        return IntVector.fromArray(INTS, slots, at).compare(VectorOperators.NE, 0);
    }

    public static void reloadB64(long[] slots, int at, long[] into) {
        System.arraycopy(slots, at, into, 0, LANES);
    }

    public static void saveB32(int[] slots, int at, IntVector value) {
        value.intoArray(slots, at);
    }

    public static void saveF32(int[] slots, int at, FloatVector value) {
        value.reinterpretAsInts().intoArray(slots, at);
    }

    public static void savePred(int[] slots, int at, VectorMask<Integer> value) {
        IntVector.zero(INTS).blend(1, value).intoArray(slots, at);
    }

    public static void saveB64(long[] slots, int at, long[] from) {
        System.arraycopy(from, 0, slots, at, LANES);
    }

    // Plain loops: C2 makes vectors of them, and where it does not, they allocate nothing.

    public static void saveRamp(int[] slots, int at, int first, int stride) {
        for (int i = 0; i < LANES; i++) {
            slots[at + i] = first + i * stride;
        }
    }

    public static void saveLongRamp(long[] slots, int at, long first, long stride) {
        for (int i = 0; i < LANES; i++) {
            slots[at + i] = first + i * stride;
        }
    }

    public static boolean isRamp(int[] slots, int at, int stride) {
        int first = slots[at];
        int difference = 0;
        for (int i = 1; i < LANES; i++) {
            difference |= slots[at + i] ^ first + i * stride;
        }
        return difference == 0;
    }

    public static boolean isLongRamp(long[] slots, int at, long stride) {
        long first = slots[at];
        long difference = 0;
        for (int i = 1; i < LANES; i++) {
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

    /** 1 when all lanes are set, 0 when none is, -1 when some are. */
    public static int decide(VectorMask<Integer> mask) {
        return mask.allTrue() ? 1 : mask.anyTrue() ? -1 : 0;
    }

    // ---- memory

    /** Checks 4 bytes for each lane from the address on; throws for the first lane outside. */
    public static long checkRow(long address, long base, long size) {
        if (!isRow(address, base, size)) {
            throw rowFault(address, base, size);
        }
        return address;
    }

    static boolean isRow(long address, long base, long size) {
        long offset = address - base;
        // Right for sizes below a row too: the difference is then negative, and no offset passes.
        return (address & 3) == 0 && offset >= 0 && offset <= size - ROW_BYTES;
    }

    static KernelFault rowFault(long address, long base, long size) {
        int lane = 0;
        while (lane < LANES - 1
                && (address & 3) == 0
                && Long.compareUnsigned(address + 4L * lane - base, size) < 0) {
            lane++;
        }
        return AccessUnsafe.fault(address + 4L * lane, 4).inLane(lane);
    }

    // ---- arithmetic

    public static FloatVector negF32(FloatVector a) {
        return a.neg();
    }

    public static FloatVector absF32(FloatVector a) {
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

    // ---- predicates

    public static VectorMask<Integer> andPred(VectorMask<Integer> a, VectorMask<Integer> b) {
        return a.and(b);
    }

    public static VectorMask<Integer> orPred(VectorMask<Integer> a, VectorMask<Integer> b) {
        return a.or(b);
    }

    public static VectorMask<Integer> xorPred(VectorMask<Integer> a, VectorMask<Integer> b) {
        return a.xor(b);
    }

    public static VectorMask<Integer> notPred(VectorMask<Integer> a) {
        return a.not();
    }

    public static VectorMask<Integer> ltF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.LT, b).cast(INTS);
    }

    public static VectorMask<Integer> leF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.LE, b).cast(INTS);
    }

    public static VectorMask<Integer> gtF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.GT, b).cast(INTS);
    }

    public static VectorMask<Integer> geF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.GE, b).cast(INTS);
    }

    public static VectorMask<Integer> eqF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.EQ, b).cast(INTS);
    }

    public static VectorMask<Integer> neuF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.NE, b).cast(INTS);
    }

    public static VectorMask<Integer> ltS32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.LT, b);
    }

    public static VectorMask<Integer> leS32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.LE, b);
    }

    public static VectorMask<Integer> gtS32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.GT, b);
    }

    public static VectorMask<Integer> geS32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.GE, b);
    }

    public static VectorMask<Integer> ltU32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.ULT, b);
    }

    public static VectorMask<Integer> leU32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.ULE, b);
    }

    public static VectorMask<Integer> gtU32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.UGT, b);
    }

    public static VectorMask<Integer> geU32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.UGE, b);
    }

    public static VectorMask<Integer> eqB32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.EQ, b);
    }

    public static VectorMask<Integer> neB32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.NE, b);
    }

    public static FloatVector selectF32(FloatVector a, FloatVector b, VectorMask<Integer> p) {
        return b.blend(a, p.cast(FLOATS));
    }

    public static IntVector selectB32(IntVector a, IntVector b, VectorMask<Integer> p) {
        return b.blend(a, p);
    }

    public static IntVector zeroB32() {
        return IntVector.zero(INTS);
    }

    public static FloatVector zeroF32() {
        return FloatVector.zero(FLOATS);
    }

    public static VectorMask<Integer> zeroPred() {
        return INTS.maskAll(false);
    }

    public static void zeroB64(long[] into) {
        Arrays.fill(into, 0);
    }
}
