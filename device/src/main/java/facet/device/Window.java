package facet.device;

import java.lang.foreign.MemorySegment;

/**
 * A part of a context's memory that kernels of another context may access.
 *
 * @param address device address of its first byte
 * @param memory the bytes
 */
public record Window(long address, MemorySegment memory) {}
