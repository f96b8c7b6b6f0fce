package facet.jit.runtime;

import facet.jit.runtime.Site.Operation;
import facet.jit.runtime.Site.Value;
import java.util.Arrays;

/**
 * Shuffles of a warp whose lanes all wait at one instruction, which is how nearly all of them come:
 * operands are copied once for the warp, and nothing is allocated (PTX ISA 9.7.9.6).
 */
final class Shuffles {
    private final int[] values = new int[32];
    private final int[] distances = new int[32];
    private final int[] clamps = new int[32];

    /** The lane that a lane reads; all bits turned where it would be outside of its segment. */
    static int source(Operation operation, int lane, int distance, int clamp) {
        int b = distance & 31;
        int segment = clamp >>> 8 & 31;
        int limit = lane & segment | clamp & 31 & ~segment;
        return switch (operation) {
            case SHUFFLE_UP -> lane - b >= limit ? lane - b : ~lane;
            case SHUFFLE_DOWN -> lane + b <= limit ? lane + b : ~lane;
            case SHUFFLE_BFLY -> (lane ^ b) <= limit ? lane ^ b : ~lane;
            default -> {
                int named = lane & segment | b & ~segment;
                yield named <= limit ? named : ~lane;
            }
        };
    }

    /**
     * For the threads from first to end, all of them at this site.
     *
     * @param masks of each lane: who takes part with it
     */
    void perform(Block block, int first, int end, Site site, int[] masks) {
        int lanes = end - first;
        read(site.inputs().getFirst(), block, first, lanes, values);
        read(site.inputs().get(1), block, first, lanes, distances);
        read(site.inputs().get(2), block, first, lanes, clamps);
        int[] ints = block.ints;
        int result = site.result() * block.threads + first;
        int predicate = site.predicate() * block.threads + first;
        Operation operation = site.operation();
        for (int lane = 0; lane < lanes; lane++) {
            int source = source(operation, lane, distances[lane], clamps[lane]);
            int from = source < 0 ? lane : source;
            if (site.result() >= 0) {
                // What a lane that takes no part gives is left open by PTX. Hardware gives 0, and
                // reductions in the field rely on it: eight lanes that still add what lies 16 on.
                ints[result + lane] = (masks[lane] >>> from & 1) != 0 ? values[from] : 0;
            }
            if (site.predicate() >= 0) {
                ints[predicate + lane] = source < 0 ? 0 : 1;
            }
        }
    }

    /** A value in each of the lanes. */
    static void read(Value value, Block block, int first, int lanes, int[] into) {
        if (value.slot() < 0) {
            Arrays.fill(into, 0, lanes, (int) value.constant());
        } else {
            System.arraycopy(block.ints, value.slot() * block.threads + first, into, 0, lanes);
        }
    }
}
