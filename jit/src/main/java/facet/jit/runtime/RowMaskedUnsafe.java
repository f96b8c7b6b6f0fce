package facet.jit.runtime;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.internal.vm.vector.VectorSupport.StoreVectorMaskedOperation;

/**
 * Stores of the lanes of a row that are there, as {@link RowIntrinsicsUnsafe} has them for all
 * lanes: what runs until C2 has compiled the call. What belongs to other lanes is not written, not
 * even with the value that it has: another block may be writing it.
 *
 * <p>SAFETY: generated code has seen with {@link VectorsUnsafe#isRow} that all of the row may be
 * accessed.
 */
public final class RowMaskedUnsafe {
    public static final StoreVectorMaskedOperation<MemorySegment, IntVector, VectorMask<Integer>>
            STOREMASKED_B32 = (memory, at, vector, mask) -> store(at, vector, mask);

    public static final StoreVectorMaskedOperation<MemorySegment, LongVector, VectorMask<Long>>
            STOREMASKED_B64 = (memory, at, vector, mask) -> store(at, vector, mask);

    private RowMaskedUnsafe() {}

    /** Whether the processor leaves alone what belongs to lanes that are not there: AVX-512. */
    public static boolean fit() {
        return Lanes.COUNT == 16;
    }

    private static void store(long at, IntVector vector, VectorMask<Integer> mask) {
        for (int lane = 0; lane < Lanes.COUNT; lane++) {
            if (mask.laneIsSet(lane)) {
                AccessUnsafe.putB32(at + 4L * lane, vector.lane(lane));
            }
        }
    }

    private static void store(long at, LongVector vector, VectorMask<Long> mask) {
        for (int lane = 0; lane < WideVectors.HALF; lane++) {
            if (mask.laneIsSet(lane)) {
                AccessUnsafe.putB64(at + 8L * lane, vector.lane(lane));
            }
        }
    }
}
