package facet.jit.matrix;

import facet.jit.runtime.Block;
import facet.ptx.Space;
import org.jspecify.annotations.Nullable;

/**
 * An address that each lane has.
 *
 * @param space null for a generic one
 * @param slot of the register; -1 where the offset is all
 * @param wide whether it has 64 bits; one of 32 wraps
 */
public record Pointer(@Nullable Space space, int slot, boolean wide, long offset) {
    long at(Block block, int t) {
        if (slot < 0) {
            return offset;
        }
        int index = slot * block.threads + t;
        return wide
                ? block.longs[index] + offset
                : Integer.toUnsignedLong(block.ints[index] + (int) offset);
    }
}
