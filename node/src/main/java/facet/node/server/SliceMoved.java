package facet.node.server;

import facet.doors.history.Sampled;

/** What a slice had on devices that it has left. */
public final class SliceMoved implements AutoCloseable {
    private final SliceOnDevices left;

    SliceMoved(SliceOnDevices left) {
        this.left = left;
    }

    /** Its counters, which go up no more. */
    public Sampled sampled() {
        return left;
    }

    /** Gives back what it had there; may wait for a worker. */
    @Override
    public void close() {
        left.close();
    }
}
