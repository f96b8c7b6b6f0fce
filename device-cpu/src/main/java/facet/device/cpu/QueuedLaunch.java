package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.jit.CompiledKernel;
import facet.jit.runtime.Grid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A launch that waits for its turn in a stream. Thousands may: what it needs to run is made when it
 * begins.
 *
 * @param capacity how many blocks may be under way at once
 * @param blockMemory bytes that its blocks need, reserved
 * @param arguments borrowed from the context
 * @param barrier the grid barrier's word, or 0
 * @param pace how long launches of the kernel take
 * @param nested what its blocks launch themselves, where they may
 * @param awaited whether blocks of another launch wait for it
 */
record QueuedLaunch(
        CpuContext context,
        CompiledKernel kernel,
        Grid grid,
        long blocks,
        int capacity,
        long blockMemory,
        MemorySegment arguments,
        long barrier,
        Pace pace,
        @Nullable NestedRun nested,
        boolean awaited)
        implements CpuStream.Step {

    /**
     * What waits for other blocks, what recurses and what launches is left to the device's own
     * threads.
     */
    @Override
    public boolean isShort() {
        return pace.isShort(threads())
                && !kernel.calls()
                && !kernel.scalar().spins()
                && grid.cluster().blocks() == 1
                && nested == null;
    }

    long threads() {
        return blocks * grid.shape().threads;
    }

    @Override
    public void begin(Runnable done) {
        if (context.fault().isPresent()) {
            giveUp(done);
        } else if (awaited && !context.blockMemory().beginNow(blockMemory)) {
            DeviceException error =
                    new DeviceException(
                            DeviceError.OUT_OF_MEMORY,
                            "blocks wait for a launch of "
                                    + kernel.name()
                                    + ", which needs "
                                    + blockMemory
                                    + " bytes of local and shared memory beside theirs");
            context.fail(error, String.valueOf(error.getMessage()));
            giveUp(done);
        } else if (awaited || context.blockMemory().begin(blockMemory, () -> beginLater(done))) {
            new LaunchRun(
                            this,
                            () -> {
                                context.blockMemory().end(blockMemory);
                                if (nested == null) {
                                    done.run();
                                } else {
                                    nested.blocksEnded(done);
                                }
                            })
                    .begin();
        }
    }

    private void giveUp(Runnable done) {
        context.blockMemory().forget(blockMemory);
        release();
        done.run();
    }

    /** Others have ended that it had to wait for. It is no longer its stream that begins it. */
    private void beginLater(Runnable done) {
        context.submit(() -> enterAndBegin(done));
    }

    private void enterAndBegin(Runnable done) {
        if (context.control().enter(() -> enterAndBegin(done))) {
            try {
                begin(done);
            } finally {
                context.control().leave();
            }
        }
    }

    /** Gives back what it borrowed. */
    void release() {
        context.arguments().give(arguments);
        if (barrier != 0) {
            context.release(barrier);
        }
    }
}
