package facet.jit.runtime;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
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
    public static final MemorySegment MEMORY = everything();

    public static final Class<?> FLOAT_CLASS =
            FloatVector.zero(FloatVector.SPECIES_PREFERRED).getClass();
    public static final Class<?> INT_CLASS = IntVector.zero(IntVector.SPECIES_PREFERRED).getClass();
    public static final Class<?> LONG_CLASS =
            LongVector.zero(LongVector.SPECIES_PREFERRED).getClass();
    public static final Class<?> DOUBLE_CLASS =
            DoubleVector.zero(DoubleVector.SPECIES_PREFERRED).getClass();
    public static final Class<?> BYTE_CLASS = ByteVector.zero(NarrowVectors.BYTES).getClass();
    public static final Class<?> SHORT_CLASS = ShortVector.zero(NarrowVectors.SHORTS).getClass();
    public static final Class<?> FLOAT_MASK =
            FloatVector.SPECIES_PREFERRED.maskAll(false).getClass();
    public static final Class<?> INT_MASK = IntVector.SPECIES_PREFERRED.maskAll(false).getClass();
    public static final Class<?> DOUBLE_MASK =
            DoubleVector.SPECIES_PREFERRED.maskAll(false).getClass();
    public static final Class<?> LONG_MASK = LongVector.SPECIES_PREFERRED.maskAll(false).getClass();
    public static final VectorSpecies<?> LONG_SPECIES =
            (VectorSpecies<?>) (Object) LongVector.SPECIES_PREFERRED;
    public static final VectorSpecies<?> DOUBLE_SPECIES =
            (VectorSpecies<?>) (Object) DoubleVector.SPECIES_PREFERRED;
    public static final VectorSpecies<?> BYTE_SPECIES =
            (VectorSpecies<?>) (Object) NarrowVectors.BYTES;
    public static final VectorSpecies<?> SHORT_SPECIES =
            (VectorSpecies<?>) (Object) NarrowVectors.SHORTS;
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

    public static final BinaryOperation<DoubleVector, VectorMask<Double>> ADD_F64 =
            (a, b, m) -> a.add(b);
    public static final BinaryOperation<DoubleVector, VectorMask<Double>> SUB_F64 =
            (a, b, m) -> a.sub(b);
    public static final BinaryOperation<DoubleVector, VectorMask<Double>> MUL_F64 =
            (a, b, m) -> a.mul(b);
    public static final BinaryOperation<DoubleVector, VectorMask<Double>> DIV_F64 =
            (a, b, m) -> a.div(b);
    public static final TernaryOperation<DoubleVector, VectorMask<Double>> FMA_F64 =
            (a, b, c, m) -> a.fma(b, c);
    public static final UnaryOperation<DoubleVector, VectorMask<Double>> SQRT_F64 =
            (a, m) -> a.sqrt();
    public static final BinaryOperation<LongVector, VectorMask<Long>> ADD_B64 =
            (a, b, m) -> a.add(b);
    public static final BinaryOperation<LongVector, VectorMask<Long>> SUB_B64 =
            (a, b, m) -> a.sub(b);
    public static final BinaryOperation<LongVector, VectorMask<Long>> MUL_B64 =
            (a, b, m) -> a.mul(b);
    public static final BinaryOperation<LongVector, VectorMask<Long>> AND_B64 =
            (a, b, m) -> a.and(b);
    public static final BinaryOperation<LongVector, VectorMask<Long>> OR_B64 = (a, b, m) -> a.or(b);
    public static final BinaryOperation<LongVector, VectorMask<Long>> XOR_B64 =
            (a, b, m) -> a.lanewise(VectorOperators.XOR, b);
    public static final FromBitsCoercedOperation<DoubleVector, VectorSpecies<Double>> SPREAD_F64 =
            (bits, species) ->
                    DoubleVector.broadcast(
                            DoubleVector.SPECIES_PREFERRED, Double.longBitsToDouble(bits));
    public static final FromBitsCoercedOperation<LongVector, VectorSpecies<Long>> SPREAD_B64 =
            (bits, species) -> LongVector.broadcast(LongVector.SPECIES_PREFERRED, bits);
    public static final LoadOperation<MemorySegment, DoubleVector, VectorSpecies<Double>> LOAD_F64 =
            (memory, at, species) ->
                    DoubleVector.fromMemorySegment(
                            DoubleVector.SPECIES_PREFERRED, memory, at, LITTLE);
    public static final LoadOperation<MemorySegment, LongVector, VectorSpecies<Long>> LOAD_B64 =
            (memory, at, species) ->
                    LongVector.fromMemorySegment(LongVector.SPECIES_PREFERRED, memory, at, LITTLE);
    public static final LoadOperation<MemorySegment, ByteVector, VectorSpecies<Byte>> LOAD_B08 =
            (memory, at, species) ->
                    ByteVector.fromMemorySegment(NarrowVectors.BYTES, memory, at, LITTLE);
    public static final LoadOperation<MemorySegment, ShortVector, VectorSpecies<Short>> LOAD_B16 =
            (memory, at, species) ->
                    ShortVector.fromMemorySegment(NarrowVectors.SHORTS, memory, at, LITTLE);
    public static final StoreVectorOperation<MemorySegment, DoubleVector> STORE_F64 =
            (memory, at, vector) -> vector.intoMemorySegment(memory, at, LITTLE);
    public static final StoreVectorOperation<MemorySegment, LongVector> STORE_B64 =
            (memory, at, vector) -> vector.intoMemorySegment(memory, at, LITTLE);
    public static final StoreVectorOperation<MemorySegment, ByteVector> STORE_B08 =
            (memory, at, vector) -> vector.intoMemorySegment(memory, at, LITTLE);
    public static final StoreVectorOperation<MemorySegment, ShortVector> STORE_B16 =
            (memory, at, vector) -> vector.intoMemorySegment(memory, at, LITTLE);

    private RowIntrinsicsUnsafe() {}

    /** SAFETY: generated code uses it with addresses that a {@code checkRow} returned. */
    @SuppressWarnings("restricted")
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }
}
