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
}
