package facet.device.cpu;

import facet.device.Box;
import java.lang.foreign.MemorySegment;

/**
 * Copies and fills in pieces of some 100 µs, so that they can be interrupted as kernels can.
 * Between two pieces the context is polled.
 */
final class Bulk {
    private static final long PIECE = 1 << 20;

    /** Bytes that are copied in the time that a row takes besides: it may be a new page. */
    private static final long ROW = 1 << 10;

    private Bulk() {}

    static void copy(CpuContext context, MemorySegment into, MemorySegment from) {
        long bytes = from.byteSize();
        if (bytes <= PIECE) {
            into.copyFrom(from);
            return;
        }
        if (into.asOverlappingSlice(from).isPresent() && into.address() > from.address()) {
            // What is read must not have been written before: from the end.
            for (long end = bytes; end > 0; end -= PIECE) {
                long at = Math.max(0, end - PIECE);
                MemorySegment.copy(from, at, into, at, end - at);
                context.poll();
            }
            return;
        }
        for (long at = 0; at < bytes; at += PIECE) {
            MemorySegment.copy(from, at, into, at, Math.min(PIECE, bytes - at));
            context.poll();
        }
    }

    static void copy(CpuContext context, MemorySegment into, MemorySegment from, Box box) {
        long since = 0;
        for (long z = 0; box.width() > 0 && z < box.depth(); z++) {
            for (long y = 0; y < box.height(); y++) {
                long source = z * box.sourceSlice() + y * box.sourcePitch();
                long destination = z * box.destinationSlice() + y * box.destinationPitch();
                MemorySegment.copy(from, source, into, destination, box.width());
                since += box.width() + ROW;
                if (since >= PIECE) {
                    since = 0;
                    context.poll();
                }
            }
        }
    }

    /** Bytes of rows and slices. */
    static void fill(CpuContext context, MemorySegment memory, int value, Box box) {
        long since = 0;
        for (long z = 0; box.width() > 0 && z < box.depth(); z++) {
            for (long y = 0; y < box.height(); y++) {
                long at = z * box.destinationSlice() + y * box.destinationPitch();
                fill(context, memory.asSlice(at, box.width()), value, 1);
                since += box.width() + ROW;
                if (since >= PIECE) {
                    since = 0;
                    context.poll();
                }
            }
        }
    }

    static void fill(CpuContext context, MemorySegment memory, int value, int width) {
        for (long at = 0; at < memory.byteSize(); at += PIECE) {
            Fill.fill(memory.asSlice(at, Math.min(PIECE, memory.byteSize() - at)), value, width);
            if (memory.byteSize() > PIECE) {
                context.poll();
            }
        }
    }
}
