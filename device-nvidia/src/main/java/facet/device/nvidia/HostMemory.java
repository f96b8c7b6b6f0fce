package facet.device.nvidia;

import facet.device.Box;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What copies have at their end in this process. The driver knows native memory alone. */
final class HostMemory {
    private HostMemory() {}

    /** The same bytes where the driver can read them, until the batch has ended. */
    static MemorySegment here(MemorySegment source, Batch batch) {
        MemorySegment here = source;
        if (!source.isNative()) {
            here = allocate(source.byteSize());
            here.copyFrom(source);
        }
        batch.keep(here);
        return here;
    }

    static MemorySegment roomFor(MemorySegment destination) {
        return destination.isNative() ? destination : allocate(destination.byteSize());
    }

    private static MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(Math.max(1, bytes)).asSlice(0, bytes);
    }

    /** What a copy of rows writes, from the first to the last byte. */
    static long written(Box box) {
        return Math.addExact(
                Math.addExact(
                        Math.multiplyExact(box.depth() - 1, box.destinationSlice()),
                        Math.multiplyExact(box.height() - 1, box.destinationPitch())),
                box.width());
    }
}
