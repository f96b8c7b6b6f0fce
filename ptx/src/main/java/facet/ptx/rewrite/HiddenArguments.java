package facet.ptx.rewrite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a launcher passes as the hidden parameter, and the memory that persistent blocks share with
 * it.
 *
 * <pre>
 * RANGES                         PERSISTENT
 *  0  u32 offset x, y, z          0  u32 grid x, y, z
 * 12  u32 grid x, y, z           12  u32 until: blocks from here on are not taken
 *                                16  u64 address of the state, in global memory
 *
 * state of PERSISTENT, aligned to 32 bytes, zeroed before the first launch
 *  0  u32 the next block that is to be taken; until, or a little more, when all are done
 *  4  u32 stop: anything but 0 makes each resident block end behind its current block
 *  8  (unused)
 * 32  32 bytes for each block of the launch
 * </pre>
 *
 * <p>A persistent launch has a grid of so many blocks in x as are to be resident. When it has ended
 * all blocks that were taken are done. With the same state, {@code stop} cleared and {@code taken}
 * no more than {@code until} was, the next launch goes on, with as many resident blocks as it likes
 * and the state has room for.
 */
public final class HiddenArguments {
    /** Of the parameter, in both forms. */
    public static final int BYTES = 24;

    /** Bytes of the state before those of the resident blocks. */
    public static final int STATE_HEAD = 32;

    /** Where the state has the next block. */
    public static final int TAKEN = 0;

    /** Where the state has the flag. */
    public static final int STOP = 4;

    /** Of the state, and bytes for each resident block. */
    static final int STATE_ALIGNMENT = 32;

    /** A launch of more blocks cannot be persistent: they are counted with 32 bits. */
    public static final long MOST_BLOCKS = 1L << 31;

    private HiddenArguments() {}

    /** The hidden parameter for a box of the launch. */
    public static byte[] ranges(GridSize grid, BlockBox box) {
        return buffer().putInt(box.x())
                .putInt(box.y())
                .putInt(box.z())
                .putInt(grid.x())
                .putInt(grid.y())
                .putInt(grid.z())
                .array();
    }

    /**
     * The hidden parameter for the blocks of a launch up to one of them.
     *
     * @param until the first block that is not to be done; the number of blocks for all
     * @throws IllegalArgumentException when there are more than {@link #MOST_BLOCKS}, fewer than
     *     that, or the state is not aligned
     */
    public static byte[] persistent(GridSize grid, long state, long until) {
        if (!canPersist(grid)) {
            throw new IllegalArgumentException("more than " + MOST_BLOCKS + " blocks");
        }
        if (until < 0 || until > grid.blocks()) {
            throw new IllegalArgumentException("up to block " + until + " of " + grid.blocks());
        }
        if (state % STATE_ALIGNMENT != 0) {
            throw new IllegalArgumentException(
                    "the state must be aligned to " + STATE_ALIGNMENT + " bytes");
        }
        return buffer().putInt(grid.x())
                .putInt(grid.y())
                .putInt(grid.z())
                .putInt((int) until)
                .putLong(state)
                .array();
    }

    /** Whether a launch of the grid can be persistent; ranges have no limit. */
    public static boolean canPersist(GridSize grid) {
        return (double) grid.x() * grid.y() * grid.z() <= MOST_BLOCKS;
    }

    /** Bytes of the state for so many resident blocks. */
    public static long stateBytes(int resident) {
        return STATE_HEAD + (long) STATE_ALIGNMENT * resident;
    }

    private static ByteBuffer buffer() {
        return ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }
}
