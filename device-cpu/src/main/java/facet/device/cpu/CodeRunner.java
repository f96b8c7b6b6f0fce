package facet.device.cpu;

import facet.jit.emit.Emitter.Emitted;
import facet.jit.runtime.Block;
import facet.jit.runtime.BlockRunner;
import facet.jit.runtime.Grid;
import facet.jit.runtime.Site;
import facet.os.MappingUnsafe;
import org.jspecify.annotations.Nullable;

/** One of a kernel's codes with what a worker needs to run it. */
final class CodeRunner {
    private final Emitted code;
    private final BlockRunner runner;
    private @Nullable Block block;

    CodeRunner(Emitted code) {
        this.code = code;
        this.runner =
                new BlockRunner(
                        code.code(),
                        code.sites().toArray(Site[]::new),
                        code.regions(),
                        code.spins(),
                        code.inStep(),
                        code.storing(),
                        code.lanes());
    }

    @SuppressWarnings("ReferenceEquality") // code is itself, and not what is like it
    boolean runs(Emitted other) {
        return code == other;
    }

    /** Threads of a row that it does at once. */
    int lanes() {
        return code.lanes();
    }

    BlockRunner runner() {
        return runner;
    }

    /** A block of the launch that has this memory; the one that was used last, where it can be. */
    Block block(Grid grid, MappingUnsafe memory) {
        long shared = memory.address();
        long local = shared + grid.sharedBytes(); // bounded: the mapping is as long
        Block last = block;
        if (last == null || last.threads != grid.shape().threads) {
            last = new Block(grid, code.intSlots(), code.longSlots(), shared, local);
            block = last;
        } else if (last.grid.id() != grid.id() || last.shared != shared) {
            last.enter(grid, shared, local);
        }
        return last;
    }
}
