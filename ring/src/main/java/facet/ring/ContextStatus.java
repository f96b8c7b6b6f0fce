package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import facet.abi.ContextStatusLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * What a client sees of a context without asking. The host writes, and keeps its own truth
 * elsewhere: the client could change these.
 */
public final class ContextStatus {
    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final VarHandle LONG = JAVA_LONG.varHandle();

    private final MemorySegment status;

    ContextStatus(MemorySegment status) {
        this.status = status;
    }

    /** For a new context with this id. */
    public void clear() {
        fault(0);
        retired(0);
        used(0);
        moved(false);
        returned(0);
        INT.setRelease(status, (long) ContextStatusLayout.TOUCHING_OFFSET, 0);
    }

    /**
     * @param result the CUresult that ended the context
     */
    public void fault(int result) {
        INT.setRelease(status, (long) ContextStatusLayout.FAULT_OFFSET, result);
    }

    public int fault() {
        return (int) INT.getAcquire(status, (long) ContextStatusLayout.FAULT_OFFSET);
    }

    /** Asynchronous commands that have ended. What they did to memory is seen before this is. */
    public void retired(long count) {
        LONG.setRelease(status, (long) ContextStatusLayout.RETIRED_OFFSET, count);
    }

    public long retired() {
        return (long) LONG.getAcquire(status, (long) ContextStatusLayout.RETIRED_OFFSET);
    }

    /** Bytes that the host has taken for itself: module variables, heap. */
    public void used(long bytes) {
        LONG.setRelease(status, (long) ContextStatusLayout.USED_OFFSET, bytes);
    }

    public long used() {
        return (long) LONG.getAcquire(status, (long) ContextStatusLayout.USED_OFFSET);
    }

    /**
     * Ranges of freed memory whose pages have gone back: the client may use the addresses again.
     */
    public void returned(long count) {
        LONG.setRelease(status, (long) ContextStatusLayout.RETURNED_OFFSET, count);
    }

    public long returned() {
        return (long) LONG.getAcquire(status, (long) ContextStatusLayout.RETURNED_OFFSET);
    }

    /** Whether some of its memory is not on the device. */
    public void moved(boolean moved) {
        INT.setVolatile(status, (long) ContextStatusLayout.MOVED_OFFSET, moved ? 1 : 0);
        // The client's count is looked at after this, and the client looks here after its count.
        VarHandle.fullFence();
    }

    public boolean moved() {
        return (int) INT.getVolatile(status, (long) ContextStatusLayout.MOVED_OFFSET) != 0;
    }

    /** Direct accesses of the client that are under way, as it says. */
    public int touching() {
        return (int) INT.getVolatile(status, (long) ContextStatusLayout.TOUCHING_OFFSET);
    }

    /** For a client: an access begins (1) or has ended (-1). */
    public void touch(int change) {
        int ignored =
                (int) INT.getAndAdd(status, (long) ContextStatusLayout.TOUCHING_OFFSET, change);
        VarHandle.fullFence();
    }
}
