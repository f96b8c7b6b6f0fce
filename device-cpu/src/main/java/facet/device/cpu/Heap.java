package facet.device.cpu;

import facet.device.AddressSpace;
import facet.device.DeviceError;
import facet.device.DeviceException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What kernels take with their own malloc. It is one piece of the context's memory, taken when the
 * first kernel that may need it is launched; where there is no room malloc answers NULL.
 * Thread-safe.
 */
final class Heap {
    private final ContextMemory memory;
    private final @Nullable AddressSpace space;
    private long bytes;
    private long start;
    private @Nullable Arena arena;

    Heap(ContextMemory memory, @Nullable AddressSpace space, long bytes) {
        this.memory = memory;
        this.space = space;
        this.bytes = bytes;
    }

    /** As in CUDA, its size is settled when the first kernel that may use it is launched. */
    synchronized void resize(long wanted) {
        if (arena != null && wanted != bytes) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "kernels use a heap of "
                            + bytes
                            + " bytes already; set its size before the first of them is launched");
        }
        bytes = wanted;
    }

    synchronized long bytes() {
        return bytes;
    }

    /** Before a kernel that may use it is launched: what it reaches is settled then. */
    synchronized void prepare() {
        if (arena != null || bytes < Arena.ALIGNMENT) {
            return;
        }
        long place;
        try {
            place = memory.allocate(bytes);
        } catch (DeviceException e) {
            if (e.error() == DeviceError.OUT_OF_MEMORY) {
                return;
            }
            throw e;
        }
        boolean granted = false;
        try {
            granted = space == null || space.owner().mayHaveHeap(bytes);
        } finally {
            if (!granted) {
                memory.release(place);
            }
        }
        if (granted) {
            start = place;
            arena = new Arena(bytes);
        }
    }

    /** An address, or 0 when there is no room. */
    synchronized long allocate(long wanted) {
        Arena there = arena;
        if (there == null || wanted <= 0) {
            return 0;
        }
        OptionalLong at = there.allocate(wanted);
        return at.isEmpty() ? 0 : start + at.getAsLong();
    }

    /** Nothing happens when it was not allocated here. */
    synchronized void free(long address) {
        Arena there = arena;
        if (there != null) {
            there.release(address - start);
        }
    }
}
