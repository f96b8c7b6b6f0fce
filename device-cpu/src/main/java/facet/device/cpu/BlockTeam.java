package facet.device.cpu;

import facet.jit.emit.Emitter.Emitted;
import facet.jit.runtime.Block;
import facet.jit.runtime.BlockRunner;
import facet.jit.runtime.Grid;
import facet.os.MappingUnsafe;
import facet.ptx.Extent;

/**
 * A block, or the blocks of a cluster, with their memory: what one thread runs until it ends or
 * waits for others. Blocks of a cluster take turns on that thread, so they are all there at once,
 * and plain accesses to shared memory are atomic among them as they are inside of a block.
 *
 * <pre>
 *   memory:  shared of rank 0 | its local | shared of rank 1 | its local | ...
 * </pre>
 */
final class BlockTeam {
    /** In a kernel that may spin: turns of the blocks before other clusters get theirs. */
    private static final int PASSES = 64;

    private final Block[] blocks;
    private final boolean[] ended;
    private final MappingUnsafe memory;

    BlockTeam(Emitted code, Grid grid, MappingUnsafe memory) {
        this.memory = memory;
        this.blocks = new Block[grid.cluster().blocks()];
        this.ended = new boolean[blocks.length];
        long bytes = bytesOfBlock(grid);
        for (int rank = 0; rank < blocks.length; rank++) {
            long shared = memory.address() + rank * bytes; // bounded: the mapping is as long
            long local = shared + grid.sharedBytes();
            blocks[rank] = new Block(grid, code.intSlots(), code.longSlots(), shared, local);
        }
        for (int rank = 0; rank < blocks.length; rank++) {
            blocks[rank].join(blocks, rank);
        }
    }

    /** Shared and local memory of a block; a multiple of 32, as both are. */
    private static long bytesOfBlock(Grid grid) {
        return Extent.sum(
                grid.sharedBytes(), Extent.product(grid.localBytes(), grid.shape().threads));
    }

    /** Memory that a team of the launch needs. */
    static long bytes(Grid grid) {
        return Extent.product(bytesOfBlock(grid), grid.cluster().blocks());
    }

    MappingUnsafe memory() {
        return memory;
    }

    /** Makes it the block, or cluster, with this linear number. */
    void begin(long number) {
        for (int rank = 0; rank < blocks.length; rank++) {
            ended[rank] = false;
            if (blocks.length == 1) {
                blocks[rank].begin(number);
            } else {
                blocks[rank].beginInCluster(number);
            }
        }
    }

    /** Goes on with it; true when all of it has ended, false when it should give way to others. */
    boolean run(BlockRunner runner) {
        if (blocks.length == 1) {
            return LaunchRun.runGuarded(runner, blocks[0]);
        }
        int passes = 0;
        while (true) {
            boolean moved = false;
            boolean spins = false;
            int first = -1;
            for (int rank = 0; rank < blocks.length; rank++) {
                if (ended[rank]) {
                    continue;
                }
                ended[rank] = LaunchRun.runGuarded(runner, blocks[rank]);
                moved |= ended[rank] || blocks[rank].hasMoved();
                if (!ended[rank]) {
                    first = first < 0 ? rank : first;
                    spins |= !blocks[rank].isHeld();
                }
            }
            if (first < 0) {
                return true;
            }
            if (!moved && !spins) {
                throw new LaunchRun.BlockFault(blocks[first], runner.deadlock(blocks[first]));
            }
            if (spins && ++passes >= PASSES) {
                return false;
            }
        }
    }
}
