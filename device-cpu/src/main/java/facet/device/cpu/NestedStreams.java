package facet.device.cpu;

import facet.jit.runtime.RuntimeError;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Streams and events that kernels of one launch have made, by the handles that they were given.
 * They end with the launch. The lock of its {@link NestedRun} guards it.
 */
final class NestedStreams {
    /** Of streams and events together: a kernel that makes more has lost count. */
    private static final int MOST = 4096;

    /** Handles look like addresses of nothing. */
    private static final long FIRST_HANDLE = 0x6400_0000_0000L;

    private static final long STEP = 16;

    private final CpuContext context;
    private final Map<Long, CpuStream> streams = new HashMap<>();
    private final Map<Long, CpuEvent> events = new HashMap<>();
    private long next = FIRST_HANDLE;

    NestedStreams(CpuContext context) {
        this.context = context;
    }

    private long handle() {
        next += STEP;
        return next;
    }

    /** Whether there is room for one more, which is taken then. */
    private boolean take() {
        return streams.size() + events.size() < MOST && context.nestedObjects().take();
    }

    /** An error is negative. */
    long createStream() {
        if (!take()) {
            return RuntimeError.MEMORY_ALLOCATION.negative();
        }
        long handle = handle();
        streams.put(handle, new CpuStream(context));
        return handle;
    }

    long createEvent() {
        if (!take()) {
            return RuntimeError.MEMORY_ALLOCATION.negative();
        }
        long handle = handle();
        events.put(handle, new CpuEvent());
        return handle;
    }

    @Nullable CpuStream stream(long handle) {
        return streams.get(handle);
    }

    @Nullable CpuEvent event(long handle) {
        return events.get(handle);
    }

    /** What waits in it goes on. */
    int destroyStream(long handle) {
        return result(streams.remove(handle));
    }

    int destroyEvent(long handle) {
        return result(events.remove(handle));
    }

    private int result(@Nullable Object removed) {
        if (removed == null) {
            return RuntimeError.INVALID_RESOURCE_HANDLE.number();
        }
        context.nestedObjects().give(1);
        return RuntimeError.SUCCESS.number();
    }

    /** The launch has ended. */
    void endAll() {
        context.nestedObjects().give(streams.size() + events.size());
        streams.clear();
        events.clear();
    }
}
