package facet.device.cpu;

import facet.jit.CompiledKernel;
import facet.jit.runtime.Grid;
import java.lang.foreign.MemorySegment;

/**
 * A launch that waits for its turn in a stream. Thousands may: what it needs to run is made when it
 * begins.
 *
 * @param capacity how many blocks may be under way at once
 * @param blockMemory bytes that its blocks need, reserved
 * @param arguments borrowed from the context
 * @param barrier the grid barrier's word, or 0
 * @param pace how long launches of the kernel take
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
        Pace pace)
        implements CpuStream.Step {

    /** What waits for other blocks, and what recurses, is left to the device's own threads. */
    @Override
    public boolean isShort() {
        return pace.isShort(threads())
                && !kernel.calls()
                && !kernel.scalar().spins()
                && grid.cluster().blocks() == 1;
    }

    long threads() {
        return blocks * grid.shape().threads;
    }

    @Override
    public void begin(Runnable done) {
        if (context.fault().isPresent()) {
            context.blockMemory().forget(blockMemory);
            release();
            done.run();
        } else if (context.blockMemory().begin(blockMemory, () -> beginLater(done))) {
            new LaunchRun(
                            this,
                            () -> {
                                context.blockMemory().end(blockMemory);
                                done.run();
                            })
                    .begin();
        }
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
