package facet.device.cpu;

import facet.os.MappingUnsafe;
import org.jspecify.annotations.Nullable;

/**
 * Shared and local memory of the block that a worker runs, kept from block to block. It is empty
 * again when another context's block comes. Much of it goes back to the system after each launch.
 */
final class Scratch {
    /** So much a worker keeps. */
    private static final long MOST_KEPT = 2L << 20;

    private static final ThreadLocal<Scratch> OF_WORKER = ThreadLocal.withInitial(Scratch::new);

    private @Nullable MappingUnsafe mapping;
    private @Nullable CpuContext owner;

    /** Memory of at least this size that no other context has left anything in. */
    static MappingUnsafe take(CpuContext context, long bytes) {
        Scratch scratch = OF_WORKER.get();
        MappingUnsafe kept = scratch.mapping;
        scratch.mapping = null;
        if (kept != null && kept.segment().byteSize() >= bytes) {
            if (scratch.owner != context) {
                kept.zero(0, kept.segment().byteSize());
            }
            return kept;
        }
        if (kept != null) {
            kept.close();
        }
        return MappingUnsafe.of(Math.max(bytes, 64 << 10));
    }

    /** Keeps the memory for the worker's next block. */
    static void give(CpuContext context, MappingUnsafe mapping) {
        Scratch scratch = OF_WORKER.get();
        if (scratch.mapping == null && mapping.segment().byteSize() <= MOST_KEPT) {
            scratch.mapping = mapping;
            scratch.owner = context;
        } else {
            mapping.close();
        }
    }

    /** The worker ends, and its memory with it. */
    static void endOfWorker() {
        Scratch scratch = OF_WORKER.get();
        if (scratch.mapping != null) {
            scratch.mapping.close();
            scratch.mapping = null;
        }
        OF_WORKER.remove();
    }
}
