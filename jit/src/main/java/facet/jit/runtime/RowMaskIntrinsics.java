package facet.jit.runtime;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.internal.vm.vector.VectorSupport;
import jdk.internal.vm.vector.VectorSupport.FromBitsCoercedOperation;
import jdk.internal.vm.vector.VectorSupport.VectorBlendOp;
import jdk.internal.vm.vector.VectorSupport.VectorBroadcastIntOp;
import jdk.internal.vm.vector.VectorSupport.VectorCompareOp;
import jdk.internal.vm.vector.VectorSupport.VectorMaskOp;
import jdk.internal.vm.vector.VectorSupport.VectorSpecies;

/**
 * What {@link RowIntrinsicsUnsafe} is for arithmetic: here for shifts, comparisons, and selections
 * by the bits of an int, one a lane.
 */
public final class RowMaskIntrinsics {
    public static final VectorBroadcastIntOp<IntVector, VectorMask<Integer>> SHL_B32 =
            (a, n, m) -> a.lanewise(VectorOperators.LSHL, n);
    public static final VectorBroadcastIntOp<IntVector, VectorMask<Integer>> SHRS_B32 =
            (a, n, m) -> a.lanewise(VectorOperators.ASHR, n);
    public static final VectorBroadcastIntOp<IntVector, VectorMask<Integer>> SHRU_B32 =
            (a, n, m) -> a.lanewise(VectorOperators.LSHR, n);
    public static final VectorBroadcastIntOp<LongVector, VectorMask<Long>> SHL_B64 =
            (a, n, m) -> a.lanewise(VectorOperators.LSHL, n);
    public static final VectorBroadcastIntOp<LongVector, VectorMask<Long>> SHRS_B64 =
            (a, n, m) -> a.lanewise(VectorOperators.ASHR, n);
    public static final VectorBroadcastIntOp<LongVector, VectorMask<Long>> SHRU_B64 =
            (a, n, m) -> a.lanewise(VectorOperators.LSHR, n);
    public static final VectorCompareOp<IntVector, VectorMask<Integer>> COMPARE_B32 =
            (condition, a, b, m) -> a.compare(relation(condition), b);
    public static final VectorMaskOp<VectorMask<Integer>> BITS_B32 = m -> bits(m);
    public static final FromBitsCoercedOperation<VectorMask<Integer>, VectorSpecies<Integer>>
            MASK_B32 =
                    (bits, species) ->
                            VectorMask.fromValues(
                                    IntVector.SPECIES_PREFERRED,
                                    lanes(bits, IntVector.SPECIES_PREFERRED.length()));
    public static final VectorBlendOp<IntVector, VectorMask<Integer>> BLEND_B32 =
            (a, b, m) -> a.blend(b, m);
    public static final VectorCompareOp<LongVector, VectorMask<Long>> COMPARE_B64 =
            (condition, a, b, m) -> a.compare(relation(condition), b);
    public static final VectorMaskOp<VectorMask<Long>> BITS_B64 = m -> bits(m);
    public static final FromBitsCoercedOperation<VectorMask<Long>, VectorSpecies<Long>> MASK_B64 =
            (bits, species) ->
                    VectorMask.fromValues(
                            LongVector.SPECIES_PREFERRED,
                            lanes(bits, LongVector.SPECIES_PREFERRED.length()));
    public static final VectorBlendOp<LongVector, VectorMask<Long>> BLEND_B64 =
            (a, b, m) -> a.blend(b, m);
    public static final VectorCompareOp<FloatVector, VectorMask<Float>> COMPARE_F32 =
            (condition, a, b, m) -> a.compare(relation(condition), b);
    public static final VectorMaskOp<VectorMask<Float>> BITS_F32 = m -> bits(m);
    public static final FromBitsCoercedOperation<VectorMask<Float>, VectorSpecies<Float>> MASK_F32 =
            (bits, species) ->
                    VectorMask.fromValues(
                            FloatVector.SPECIES_PREFERRED,
                            lanes(bits, FloatVector.SPECIES_PREFERRED.length()));
    public static final VectorBlendOp<FloatVector, VectorMask<Float>> BLEND_F32 =
            (a, b, m) -> a.blend(b, m);
    public static final VectorCompareOp<DoubleVector, VectorMask<Double>> COMPARE_F64 =
            (condition, a, b, m) -> a.compare(relation(condition), b);
    public static final VectorMaskOp<VectorMask<Double>> BITS_F64 = m -> bits(m);
    public static final FromBitsCoercedOperation<VectorMask<Double>, VectorSpecies<Double>>
            MASK_F64 =
                    (bits, species) ->
                            VectorMask.fromValues(
                                    DoubleVector.SPECIES_PREFERRED,
                                    lanes(bits, DoubleVector.SPECIES_PREFERRED.length()));
    public static final VectorBlendOp<DoubleVector, VectorMask<Double>> BLEND_F64 =
            (a, b, m) -> a.blend(b, m);

    private RowMaskIntrinsics() {}

    private static VectorOperators.Comparison relation(int condition) {
        return switch (condition) {
            case VectorSupport.BT_eq -> VectorOperators.EQ;
            case VectorSupport.BT_ne -> VectorOperators.NE;
            case VectorSupport.BT_lt -> VectorOperators.LT;
            case VectorSupport.BT_le -> VectorOperators.LE;
            case VectorSupport.BT_gt -> VectorOperators.GT;
            case VectorSupport.BT_ge -> VectorOperators.GE;
            case VectorSupport.BT_ult -> VectorOperators.ULT;
            case VectorSupport.BT_ule -> VectorOperators.ULE;
            case VectorSupport.BT_ugt -> VectorOperators.UGT;
            case VectorSupport.BT_uge -> VectorOperators.UGE;
            default -> throw new IllegalArgumentException("no relation: " + condition);
        };
    }

    private static long bits(VectorMask<?> mask) {
        long bits = 0;
        for (int lane = 0; lane < mask.length(); lane++) {
            bits |= mask.laneIsSet(lane) ? 1L << lane : 0;
        }
        return bits;
    }

    private static boolean[] lanes(long bits, int count) {
        boolean[] lanes = new boolean[count];
        for (int lane = 0; lane < count; lane++) {
            lanes[lane] = (bits >>> lane & 1) != 0;
        }
        return lanes;
    }
}
