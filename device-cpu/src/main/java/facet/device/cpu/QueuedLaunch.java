package facet.device.cpu;

import facet.jit.CompiledKernel;
import facet.jit.runtime.Grid;
import java.lang.foreign.MemorySegment;

/**
 * A launch that waits for its turn in a stream. Thousands may: what it needs to run is made when it
 * begins.
 *
 * @param capacity how many blocks may be under way at once
 * @param arguments borrowed from the context
 * @param barrier the grid barrier's word, or 0
 */
record QueuedLaunch(
        CpuContext context,
        CompiledKernel kernel,
        Grid grid,
        long blocks,
        int capacity,
        MemorySegment arguments,
        long barrier)
        implements CpuStream.Step {

    @Override
    public void begin(Runnable done) {
        if (context.fault().isPresent()) {
            release();
            done.run();
        } else {
            new LaunchRun(this, done).begin();
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
