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
    private final NestedObjects objects;
    private final Map<Long, Buffer> buffers = new HashMap<>();

    NestedBuffers(Heap heap, NestedObjects objects) {
        this.heap = heap;
        this.objects = objects;
    }

    /** Its device address; 0 when there is no room. */
    long make(long bytes, @Nullable ChildLaunch launch) {
        if (!objects.take()) {
            return 0;
        }
        long address = heap.allocate(Math.max(bytes, 1));
        synchronized (this) {
            // A kernel may have freed one, and has its address again now.
            if (address == 0 || buffers.put(address, new Buffer(bytes, launch)) != null) {
                objects.give(1);
            }
        }
        return address;
    }

    /** Takes one out; {@link #release} follows. Null when there is none at the address. */
    synchronized @Nullable Buffer take(long address) {
        Buffer taken = buffers.remove(address);
        if (taken != null) {
            objects.give(1);
        }
        return taken;
    }

    void release(long address) {
        heap.free(address);
    }

    /** Those that no launch has used. */
    synchronized void releaseAll() {
        buffers.keySet().forEach(heap::free);
        objects.give(buffers.size());
        buffers.clear();
    }
}
