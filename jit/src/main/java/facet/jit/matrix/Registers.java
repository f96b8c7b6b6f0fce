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

    /** Lanes that are not there, or have exited, read as zero: what their slots hold is old. */
    void read(Block block, int first, int end, int living, int[] words) {
        int lanes = end - first;
        for (int r = 0; r < slots.size(); r++) {
            int slot = slots.get(r);
            if (slot < 0 || lanes < LANES) {
                Arrays.fill(words, r * LANES, (r + 1) * LANES, 0);
            }
            if (slot >= 0) {
                System.arraycopy(block.ints, slot * block.threads + first, words, r * LANES, lanes);
            }
            for (int gone = ~living; gone != 0; gone &= gone - 1) {
                words[r * LANES + Integer.numberOfTrailingZeros(gone)] = 0;
            }
        }
    }

    void read(Block block, int first, int end, int living, long[] words) {
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
            for (int gone = ~living; gone != 0; gone &= gone - 1) {
                words[r * LANES + Integer.numberOfTrailingZeros(gone)] = 0;
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
