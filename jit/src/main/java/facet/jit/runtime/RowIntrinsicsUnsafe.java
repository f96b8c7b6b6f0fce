package facet.jit.runtime;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.internal.vm.vector.VectorSupport.BinaryOperation;
import jdk.internal.vm.vector.VectorSupport.FromBitsCoercedOperation;
import jdk.internal.vm.vector.VectorSupport.LoadOperation;
import jdk.internal.vm.vector.VectorSupport.StoreVectorOperation;
import jdk.internal.vm.vector.VectorSupport.TernaryOperation;
import jdk.internal.vm.vector.VectorSupport.UnaryOperation;
import jdk.internal.vm.vector.VectorSupport.VectorSpecies;

/**
 * What generated code passes to the JVM's vector intrinsics: constants, and for each operation what
 * runs until C2 has compiled the call.
 *
 * <p>Generated code calls the intrinsics itself. Through the Vector API an operation is a dozen
 * inlined methods, and C2 stops inlining after some thirty operations; from there on each
 * allocates.
 */
public final class RowIntrinsicsUnsafe {
    public static final int LANES = Lanes.COUNT;
    public static final MemorySegment MEMORY = everything();

    public static final Class<?> FLOAT_CLASS =
            FloatVector.zero(FloatVector.SPECIES_PREFERRED).getClass();
    public static final Class<?> INT_CLASS = IntVector.zero(IntVector.SPECIES_PREFERRED).getClass();
    public static final VectorSpecies<?> FLOAT_SPECIES =
            (VectorSpecies<?>) (Object) FloatVector.SPECIES_PREFERRED;
    public static final VectorSpecies<?> INT_SPECIES =
            (VectorSpecies<?>) (Object) IntVector.SPECIES_PREFERRED;

    private static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;

    public static final BinaryOperation<FloatVector, VectorMask<Float>> ADD_F32 =
            (a, b, m) -> a.add(b);
    public static final BinaryOperation<FloatVector, VectorMask<Float>> SUB_F32 =
            (a, b, m) -> a.sub(b);
    public static final BinaryOperation<FloatVector, VectorMask<Float>> MUL_F32 =
            (a, b, m) -> a.mul(b);
    public static final BinaryOperation<FloatVector, VectorMask<Float>> DIV_F32 =
            (a, b, m) -> a.div(b);
    public static final TernaryOperation<FloatVector, VectorMask<Float>> FMA_F32 =
            (a, b, c, m) -> a.fma(b, c);
    public static final UnaryOperation<FloatVector, VectorMask<Float>> SQRT_F32 =
            (a, m) -> a.sqrt();
    public static final BinaryOperation<IntVector, VectorMask<Integer>> ADD_B32 =
            (a, b, m) -> a.add(b);
    public static final BinaryOperation<IntVector, VectorMask<Integer>> SUB_B32 =
            (a, b, m) -> a.sub(b);
    public static final BinaryOperation<IntVector, VectorMask<Integer>> MUL_B32 =
            (a, b, m) -> a.mul(b);
    public static final BinaryOperation<IntVector, VectorMask<Integer>> AND_B32 =
            (a, b, m) -> a.and(b);
    public static final BinaryOperation<IntVector, VectorMask<Integer>> OR_B32 =
            (a, b, m) -> a.or(b);
    public static final BinaryOperation<IntVector, VectorMask<Integer>> XOR_B32 =
            (a, b, m) -> a.lanewise(VectorOperators.XOR, b);

    public static final FromBitsCoercedOperation<FloatVector, VectorSpecies<Float>> SPREAD_F32 =
            (bits, species) ->
                    FloatVector.broadcast(
                            FloatVector.SPECIES_PREFERRED, Float.intBitsToFloat((int) bits));
    public static final FromBitsCoercedOperation<IntVector, VectorSpecies<Integer>> SPREAD_B32 =
            (bits, species) -> IntVector.broadcast(IntVector.SPECIES_PREFERRED, (int) bits);
    public static final LoadOperation<MemorySegment, FloatVector, VectorSpecies<Float>> LOAD_F32 =
            (memory, at, species) ->
                    FloatVector.fromMemorySegment(
                            FloatVector.SPECIES_PREFERRED, memory, at, LITTLE);
    public static final LoadOperation<MemorySegment, IntVector, VectorSpecies<Integer>> LOAD_B32 =
            (memory, at, species) ->
                    IntVector.fromMemorySegment(IntVector.SPECIES_PREFERRED, memory, at, LITTLE);
    public static final StoreVectorOperation<MemorySegment, FloatVector> STORE_F32 =
            (memory, at, vector) -> vector.intoMemorySegment(memory, at, LITTLE);
    public static final StoreVectorOperation<MemorySegment, IntVector> STORE_B32 =
            (memory, at, vector) -> vector.intoMemorySegment(memory, at, LITTLE);

    private RowIntrinsicsUnsafe() {}

    /**
     * SAFETY: generated code uses it with addresses that {@link VectorsUnsafe#checkRow} returned.
     */
    @SuppressWarnings("restricted")
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }
}
