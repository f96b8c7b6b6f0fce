package facet.device;

import java.lang.foreign.MemorySegment;

/**
 * Where a context has its memory, when somebody else chooses it: {@code [base, base + arena)} is
 * given out by {@link Context#allocateAt}, what follows up to {@code base + size} by {@link
 * Context#allocate}.
 *
 * @param memory what is there; a client may have mapped the same. Outlives the context
 * @param release told which part of it nobody needs any more
 */
public record AddressSpace(long base, long arena, MemorySegment memory, Release release) {
    /** Called with an offset into the memory, on the thread that frees. */
    public interface Release {
        void released(long offset, long bytes);
    }
}
