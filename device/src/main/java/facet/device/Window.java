package facet.device;

import java.lang.foreign.MemorySegment;

/**
 * Memory outside of a context that it may access at an address of its own.
 *
 * @param address device address of its first byte
 * @param memory the bytes
 */
public record Window(long address, MemorySegment memory) {}
