package facet.jit.runtime;

import facet.jit.math.F32;
import facet.jit.runtime.Site.Operation;
import facet.jit.runtime.Site.Value;
import java.util.Arrays;

/**
 * Lets the waiting threads of a warp do their operation together (PTX ISA 9.7.9.6, 9.7.13).
 *
 * <p>A group fires when every living thread of the member mask waits with the same operation and
 * the same mask, at whatever instruction. Operations without a mask fire for the threads that wait
 * at one instruction once no thread of the warp can run.
 */
final class WarpOperations {
    /** Instructions' worth of time that a matrix operation takes. */
    private static final int TASK_COST = 1000;

    private final Site[] sites;

    /** Gathered operands of the group, by lane. */
    private final long[] operand = new long[32];

    /** For each lane of the group those whose operand is the same. */
    private final int[] same = new int[32];

    /** Of lanes that all wait at one place: their member masks, each with the lane itself. */
    private final int[] masks = new int[32];

    private final Shuffles shuffles = new Shuffles();

    WarpOperations(Site[] sites) {
        this.sites = sites;
    }

    /** Whether any thread of the warp {@code [first, end)} got to go on. */
    boolean fire(Block block, int first, int end) {
        if (fireTogether(block, first, end)) {
            return true;
        }
        boolean any = false;
        for (int t = first; t < end; t++) {
            Site site = waiting(block, t);
            if (site != null && site.operation() != Operation.ACTIVE_MASK && hasMask(site)) {
                int lane = t - first;
                int mask = mask(site, block, t, lane);
                if (isComplete(block, first, end, site, mask)) {
                    perform(block, first, end, site.operation(), mask & present(first, end));
                    any = true;
                }
            }
        }
        return any || fireConverged(block, first, end);
    }

    /** All threads of the warp wait at one place, and their masks divide it into groups. */
    private boolean fireTogether(Block block, int first, int end) {
        int common = block.state[first];
        for (int t = first + 1; t < end; t++) {
            if (block.state[t] != common) {
                return false;
            }
        }
        Site site = waiting(block, first);
        if (site == null || !hasMask(site)) {
            return false;
        }
        int all = present(first, end);
        boolean whole = readMasks(site.inputs().getLast(), block, first, end, all);
        switch (site.operation()) {
            case SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX -> {
                if (!whole && !areGroups(end - first)) {
                    return false;
                }
                shuffles.perform(block, first, end, site, masks);
            }
            case WARP_BARRIER -> {
                if (!whole && !areGroups(end - first)) {
                    return false;
                }
            }
            default -> {
                if (whole) {
                    perform(block, first, end, site.operation(), all);
                }
                return whole;
            }
        }
        Arrays.fill(block.state, first, end, site.next());
        return true;
    }

    /** Whether the mask of each lane names the whole warp. */
    private boolean readMasks(Value mask, Block block, int first, int end, int all) {
        Shuffles.read(mask, block, first, end - first, masks);
        int common = all;
        for (int lane = 0; lane < end - first; lane++) {
            masks[lane] = (masks[lane] | 1 << lane) & all;
            common &= masks[lane];
        }
        return common == all;
    }

    /** Whether all lanes that a mask names have the same one. */
    private boolean areGroups(int lanes) {
        int seen = 0;
        for (int lane = 0; lane < lanes; lane++) {
            int mask = masks[lane];
            int leader = Integer.numberOfTrailingZeros(mask);
            if (masks[leader] != mask) {
                return false;
            }
            if (leader == lane) {
                if ((seen & mask) != 0) {
                    return false;
                }
                seen |= mask;
            }
        }
        return true;
    }

    private boolean fireConverged(Block block, int first, int end) {
        for (int t = first; t < end; t++) {
            Site site = waiting(block, t);
            if (site != null && (site.operation() == Operation.ACTIVE_MASK || !hasMask(site))) {
                int mask = 0;
                for (int other = t; other < end; other++) {
                    if (block.state[other] == block.state[t]) {
                        mask |= 1 << (other - first);
                    }
                }
                perform(block, first, end, site.operation(), mask);
                return true;
            }
        }
        return false;
    }

    private @org.jspecify.annotations.Nullable Site waiting(Block block, int t) {
        int state = block.state[t];
        if (state >= 0 || state == Block.EXITED) {
            return null;
        }
        Site site = sites[~state];
        return site.operation().isWarp() ? site : null;
    }

    private static boolean hasMask(Site site) {
        return site.inputs().size() == operands(site.operation()) + 1;
    }

    private static int operands(Operation operation) {
        return switch (operation) {
            case SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX -> 3;
            case WARP_BARRIER, ACTIVE_MASK, ELECT, TASK -> 0;
            default -> 1;
        };
    }

    /** A thread that leaves itself out of its mask is undefined in PTX; here it is put in. */
    private static int mask(Site site, Block block, int t, int lane) {
        return site.inputs().getLast().at(block, t) | 1 << lane;
    }

    private static int present(int first, int end) {
        return -1 >>> (32 - (end - first));
    }

    private boolean isComplete(Block block, int first, int end, Site one, int mask) {
        for (int t = first; t < end; t++) {
            int lane = t - first;
            if ((mask >>> lane & 1) == 0 || block.state[t] == Block.EXITED) {
                continue;
            }
            Site site = waiting(block, t);
            if (site == null
                    || site.operation() != one.operation()
                    || one.task() != null && !site.equals(one)
                    || !hasMask(site)
                    || mask(site, block, t, lane) != mask) {
                return false;
            }
        }
        return true;
    }

    private void perform(Block block, int first, int end, Operation operation, int mask) {
        if (operation == Operation.TASK) {
            performTask(block, first, end, mask);
            return;
        }
        int living = 0;
        for (int t = first; t < end; t++) {
            int lane = t - first;
            if ((mask >>> lane & 1) != 0 && block.state[t] != Block.EXITED) {
                living |= 1 << lane;
                Site site = sites[~block.state[t]];
                operand[lane] =
                        operands(operation) == 0 ? 0 : site.inputs().getFirst().wideAt(block, t);
            }
        }
        long combined = combine(operation, living);
        for (int lanes = living; lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            int t = first + lane;
            Site site = sites[~block.state[t]];
            finish(block, t, lane, site, living, combined);
            block.state[t] = site.next();
        }
    }

    private void performTask(Block block, int first, int end, int mask) {
        int living = 0;
        for (int t = first; t < end; t++) {
            if ((mask >>> (t - first) & 1) != 0 && block.state[t] != Block.EXITED) {
                living |= 1 << (t - first);
            }
        }
        Site site = sites[~block.state[first + Integer.numberOfTrailingZeros(living)]];
        WarpTask task = java.util.Objects.requireNonNull(site.task());
        block.spend(TASK_COST);
        task.perform(block, first, end, living, site.line());
        for (int t = first; t < end; t++) {
            if ((living >>> (t - first) & 1) != 0) {
                block.state[t] = site.next();
            }
        }
    }

    /** The part of the result that is the same for all lanes. */
    private long combine(Operation operation, int living) {
        int leader = Integer.numberOfTrailingZeros(living);
        return switch (operation) {
            case VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT -> vote(operation, living);
            case MATCH_ALL -> {
                for (int lanes = living; lanes != 0; lanes &= lanes - 1) {
                    if (operand[Integer.numberOfTrailingZeros(lanes)] != operand[leader]) {
                        yield 0;
                    }
                }
                yield living;
            }
            case ACTIVE_MASK -> living;
            case ELECT -> leader;
            case MATCH_ANY -> {
                matchAny(living);
                yield 0;
            }
            case SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX, WARP_BARRIER -> 0;
            default -> {
                int result = (int) operand[leader];
                for (int lanes = living & (living - 1); lanes != 0; lanes &= lanes - 1) {
                    int value = (int) operand[Integer.numberOfTrailingZeros(lanes)];
                    result = reduce(operation, result, value);
                }
                yield result;
            }
        };
    }

    /** Each value is looked for once, whatever number of lanes has it. */
    private void matchAny(int living) {
        for (int left = living; left != 0; ) {
            long value = operand[Integer.numberOfTrailingZeros(left)];
            int found = 0;
            for (int lanes = left; lanes != 0; lanes &= lanes - 1) {
                int lane = Integer.numberOfTrailingZeros(lanes);
                found |= operand[lane] == value ? 1 << lane : 0;
            }
            for (int lanes = found; lanes != 0; lanes &= lanes - 1) {
                same[Integer.numberOfTrailingZeros(lanes)] = found;
            }
            left &= ~found;
        }
    }

    private int vote(Operation operation, int living) {
        int result = 0;
        for (int lanes = living; lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            result |= operand[lane] != 0 ? 1 << lane : 0;
        }
        return switch (operation) {
            case VOTE_ALL -> result == living ? 1 : 0;
            case VOTE_ANY -> result != 0 ? 1 : 0;
            case VOTE_UNI -> result == living || result == 0 ? 1 : 0;
            default -> result;
        };
    }

    private static int reduce(Operation operation, int a, int b) {
        return switch (operation) {
            case REDUCE_ADD -> a + b;
            case REDUCE_MIN_S32 -> Math.min(a, b);
            case REDUCE_MAX_S32 -> Math.max(a, b);
            case REDUCE_MIN_U32 -> Integer.compareUnsigned(a, b) <= 0 ? a : b;
            case REDUCE_MAX_U32 -> Integer.compareUnsigned(a, b) >= 0 ? a : b;
            case REDUCE_AND -> a & b;
            case REDUCE_OR -> a | b;
            case REDUCE_XOR -> a ^ b;
            case REDUCE_MIN_F32 -> bits(F32.min(number(a), number(b)));
            case REDUCE_MAX_F32 -> bits(F32.max(number(a), number(b)));
            case REDUCE_MIN_NAN_F32 -> bits(F32.minNan(number(a), number(b)));
            case REDUCE_MAX_NAN_F32 -> bits(F32.maxNan(number(a), number(b)));
            case REDUCE_MIN_ABS_F32 -> bits(F32.min(magnitude(a), magnitude(b)));
            case REDUCE_MAX_ABS_F32 -> bits(F32.max(magnitude(a), magnitude(b)));
            case REDUCE_MIN_ABS_NAN_F32 -> bits(F32.minNan(magnitude(a), magnitude(b)));
            case REDUCE_MAX_ABS_NAN_F32 -> bits(F32.maxNan(magnitude(a), magnitude(b)));
            default -> a;
        };
    }

    private static float number(int bits) {
        return Float.intBitsToFloat(bits);
    }

    private static float magnitude(int bits) {
        return Float.intBitsToFloat(bits & 0x7fff_ffff);
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    private void finish(Block block, int t, int lane, Site site, int living, long combined) {
        switch (site.operation()) {
            case WARP_BARRIER -> {}
            case SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX ->
                    shuffle(block, t, lane, site, living);
            case MATCH_ANY -> put(block, t, site.result(), same[lane]);
            case MATCH_ALL -> {
                put(block, t, site.result(), (int) combined);
                put(block, t, site.predicate(), combined != 0 ? 1 : 0);
            }
            case ELECT -> {
                put(block, t, site.result(), (int) combined);
                put(block, t, site.predicate(), lane == combined ? 1 : 0);
            }
            case REDUCE_MIN_ABS_F32,
                    REDUCE_MAX_ABS_F32,
                    REDUCE_MIN_ABS_NAN_F32,
                    REDUCE_MAX_ABS_NAN_F32 ->
                    put(block, t, site.result(), (int) combined & 0x7fff_ffff);
            default -> put(block, t, site.result(), (int) combined);
        }
    }

    private void shuffle(Block block, int t, int lane, Site site, int living) {
        int distance = site.inputs().get(1).at(block, t);
        int clamp = site.inputs().get(2).at(block, t);
        int source = Shuffles.source(site.operation(), lane, distance, clamp);
        int from = source < 0 ? lane : source;
        // As in Shuffles: a lane that takes no part gives 0.
        boolean active = (living >>> from & 1) != 0;
        put(block, t, site.result(), active ? (int) operand[from] : 0);
        put(block, t, site.predicate(), source < 0 ? 0 : 1);
    }

    private static void put(Block block, int t, int slot, int value) {
        if (slot >= 0) {
            block.ints[slot * block.threads + t] = value;
        }
    }
}
