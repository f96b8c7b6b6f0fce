package facet.device.nvidia;

import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.PhysicalMemory;
import java.util.Map;
import java.util.TreeMap;

/**
 * An allocation in the memory of a context, for others who map it at addresses of their own. A
 * driver maps what it has made as a whole, so the chunks are mapped on which the allocation lies,
 * and it has the same place in them.
 */
final class MemoryPart implements PhysicalMemory {
    private final NvidiaDevice device;
    private final NvidiaMemory memory;
    private final long offset;
    private final long bytes;

    MemoryPart(NvidiaDevice device, NvidiaMemory memory, long offset, long bytes) {
        this.device = device;
        this.memory = memory;
        this.offset = offset;
        this.bytes = bytes;
    }

    @Override
    public Place map(long address, long from, long length) {
        // Where the memory's first byte would be.
        long origin = address - offset;
        if (from != 0 || length != bytes || origin % device.granule() != 0) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "an allocation is mapped as a whole, and lies in its granule as it does in its"
                            + " context");
        }
        synchronized (memory) {
            Map<Long, NvidiaMemory.Chunk> chunks = memory.whole(offset, bytes);
            Elsewhere place = new Elsewhere(origin);
            boolean complete = false;
            try {
                chunks.forEach(place::map);
                complete = true;
            } finally {
                if (!complete) {
                    place.unmap();
                }
            }
            return place;
        }
    }

    /** What is mapped is noted here: it is unmapped, whatever becomes of the memory. */
    private final class Elsewhere implements Place {
        private final long origin;
        private final long start = offset / NvidiaMemory.CHUNK * NvidiaMemory.CHUNK;
        private final long span;

        /** Address to length. */
        private final Map<Long, Long> mapped = new TreeMap<>();

        Elsewhere(long origin) {
            this.origin = origin;
            long end = (offset + bytes + NvidiaMemory.CHUNK - 1) / NvidiaMemory.CHUNK;
            span = end * NvidiaMemory.CHUNK - start;
            device.memory().reserve(origin + start, span, device.granule());
        }

        void map(long at, NvidiaMemory.Chunk chunk) {
            device.memory().map(origin + at, chunk.bytes(), chunk.handle(), 0);
            mapped.put(origin + at, chunk.bytes());
        }

        @Override
        public void permit(Device whom, boolean reads, boolean writes) {
            int handle = ((NvidiaDevice) whom).handle();
            mapped.forEach(
                    (at, length) -> device.memory().permit(handle, at, length, reads, writes));
        }

        @Override
        public void unmap() {
            // What a broken driver answers here changes nothing: it goes with its process.
            mapped.forEach((at, length) -> {
                int _ = device.memory().unmap(at, length);
            });
            int _ = device.memory().unreserve(origin + start, span);
        }
    }

    /** The memory is its context's. */
    @Override
    public void close() {}
}
