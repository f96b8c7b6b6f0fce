package facet.jit.runtime;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in a kernel where threads wait for each other.
 *
 * @param next region where a thread goes on
 * @param inputs of warp operations: the member mask is the last, absent where the instruction has
 *     none; of barriers: number, then where given count of threads, then predicate
 * @param result slot of the result among the block's ints, or -1
 * @param predicate slot of the second result, or -1
 * @param line in the PTX text
 * @param task of {@link Operation#TASK}
 */
public record Site(
        Operation operation,
        int next,
        List<Value> inputs,
        int result,
        int predicate,
        int line,
        @Nullable WarpTask task) {

    /** All lanes of a warp do something together. */
    public static Site of(WarpTask task, int next, int line) {
        return new Site(Operation.TASK, next, List.of(Value.constant(-1)), -1, -1, line, task);
    }

    /** What the threads do together. */
    public enum Operation {
        BARRIER(false),
        BARRIER_ARRIVE(false),
        BARRIER_POPC(false),
        BARRIER_AND(false),
        BARRIER_OR(false),
        CLUSTER_ARRIVE(false),
        CLUSTER_WAIT(false),
        WARP_BARRIER(true),
        SHUFFLE_UP(true),
        SHUFFLE_DOWN(true),
        SHUFFLE_BFLY(true),
        SHUFFLE_IDX(true),
        VOTE_ALL(true),
        VOTE_ANY(true),
        VOTE_UNI(true),
        VOTE_BALLOT(true),
        MATCH_ANY(true),
        MATCH_ALL(true),
        REDUCE_ADD(true),
        REDUCE_MIN_S32(true),
        REDUCE_MIN_U32(true),
        REDUCE_MAX_S32(true),
        REDUCE_MAX_U32(true),
        REDUCE_AND(true),
        REDUCE_OR(true),
        REDUCE_XOR(true),
        REDUCE_MIN_F32(true),
        REDUCE_MAX_F32(true),
        REDUCE_MIN_ABS_F32(true),
        REDUCE_MAX_ABS_F32(true),
        REDUCE_MIN_NAN_F32(true),
        REDUCE_MAX_NAN_F32(true),
        REDUCE_MIN_ABS_NAN_F32(true),
        REDUCE_MAX_ABS_NAN_F32(true),
        ACTIVE_MASK(true),
        ELECT(true),
        TASK(true);

        private final boolean warp;

        Operation(boolean warp) {
            this.warp = warp;
        }

        /** Whether threads of the block meet at one of its 16 barriers. */
        boolean isNamedBarrier() {
            return switch (this) {
                case BARRIER, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR -> true;
                default -> false;
            };
        }

        /** Whether it is among the threads of a warp rather than of the block. */
        public boolean isWarp() {
            return warp;
        }
    }

    /** A constant, or a register kept in a slot of ints or, when wide, longs. */
    public record Value(int slot, boolean wide, long constant) {
        public static Value constant(long value) {
            return new Value(-1, false, value);
        }

        int at(Block block, int t) {
            return slot < 0 ? (int) constant : block.ints[slot * block.threads + t];
        }

        long wideAt(Block block, int t) {
            if (slot < 0) {
                return constant;
            }
            return wide ? block.longs[slot * block.threads + t] : at(block, t);
        }
    }
}
