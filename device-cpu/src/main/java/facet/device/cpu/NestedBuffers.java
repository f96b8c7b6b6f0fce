package facet.device.cpu;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the arguments of launches that kernels are about to make. It is of the kernels' heap,
 * where they write it; which launch it is for is known here alone. Thread-safe.
 */
final class NestedBuffers {
    /**
     * @param launch what it was asked for, where that is known
     */
    record Buffer(long bytes, @Nullable ChildLaunch launch) {}

    private final Heap heap;
    private final Map<Long, Buffer> buffers = new HashMap<>();

    NestedBuffers(Heap heap) {
        this.heap = heap;
    }

    /** Its device address; 0 when there is no room. */
    long make(long bytes, @Nullable ChildLaunch launch) {
        long address = heap.allocate(Math.max(bytes, 1));
        if (address != 0) {
            synchronized (this) {
                buffers.put(address, new Buffer(bytes, launch));
            }
        }
        return address;
    }

    /** Takes one out; {@link #release} follows. Null when there is none at the address. */
    synchronized @Nullable Buffer take(long address) {
        return buffers.remove(address);
    }

    void release(long address) {
        heap.free(address);
    }

    /** Those that no launch has used. */
    synchronized void releaseAll() {
        buffers.keySet().forEach(heap::free);
        buffers.clear();
    }
}
