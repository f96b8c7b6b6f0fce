package facet.jit.matrix;

import facet.jit.runtime.Block;
import java.util.Arrays;
import java.util.List;

/**
 * The registers of a warp: for each the slot of the block where it is kept, -1 for one that nobody
 * wants.
 */
public record Registers(List<Integer> slots) {
    private static final int LANES = 32;

    public Registers {
        slots = List.copyOf(slots);
    }

    /** Lanes that a warp at the end of a block does not have read as zero. */
    void read(Block block, int first, int end, int[] words) {
        int lanes = end - first;
        for (int r = 0; r < slots.size(); r++) {
            int slot = slots.get(r);
            if (slot < 0 || lanes < LANES) {
                Arrays.fill(words, r * LANES, (r + 1) * LANES, 0);
            }
            if (slot >= 0) {
                System.arraycopy(block.ints, slot * block.threads + first, words, r * LANES, lanes);
            }
        }
    }

    void read(Block block, int first, int end, long[] words) {
        int lanes = end - first;
        for (int r = 0; r < slots.size(); r++) {
            int slot = slots.get(r);
            if (slot < 0 || lanes < LANES) {
                Arrays.fill(words, r * LANES, (r + 1) * LANES, 0);
            }
            if (slot >= 0) {
                System.arraycopy(
                        block.longs, slot * block.threads + first, words, r * LANES, lanes);
            }
        }
    }

    void write(Block block, int first, int end, int[] words) {
        for (int r = 0; r < slots.size(); r++) {
            if (slots.get(r) >= 0) {
                int at = slots.get(r) * block.threads + first;
                System.arraycopy(words, r * LANES, block.ints, at, end - first);
            }
        }
    }

    void write(Block block, int first, int end, long[] words) {
        for (int r = 0; r < slots.size(); r++) {
            if (slots.get(r) >= 0) {
                int at = slots.get(r) * block.threads + first;
                System.arraycopy(words, r * LANES, block.longs, at, end - first);
            }
        }
    }
}
