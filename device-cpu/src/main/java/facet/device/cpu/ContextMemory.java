package facet.device.cpu;

import facet.device.AddressSpace;
import facet.device.ContextOptions;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.os.MappingUnsafe;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a context: its own mapping, or the address space that it was given. In the latter
 * the client chooses addresses below {@code arena}; above it, and in a mapping of our own, we do.
 * Thread-safe.
 */
final class ContextMemory implements AutoCloseable {
    /** Where contexts start that have no address space given. */
    static final long BASE = 0x7000_0000_0000L;

    private final @Nullable AddressSpace space;
    private final @Nullable MappingUnsafe mapping;
    private final MemorySegment segment;
    private final long base;
    private final long start;
    private final long size;
    private final Arena arena;

    /** What the client has taken: offset to length. */
    private final TreeMap<Long, Long> chosen = new TreeMap<>();

    private long chosenBytes;
    private boolean closed;

    ContextMemory(ContextOptions options) {
        space = options.space();
        if (space == null) {
            mapping = MappingUnsafe.huge(options.memory());
            segment = mapping.segment();
            base = BASE;
            start = 0;
            size = options.memory();
        } else {
            mapping = null;
            segment = space.memory();
            base = space.base();
            start = space.arena();
            size = segment.byteSize();
        }
        arena = new Arena(size - start);
    }

    long base() {
        return base;
    }

    /** What turns a device address into one of this process. */
    long delta() {
        return segment.address() - base;
    }

    /** Rounded down, so that an aligned access that starts inside ends inside. */
    long accessible() {
        return size / 32 * 32;
    }

    synchronized long allocate(long bytes) {
        if (bytes <= 0) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE, "an allocation of " + bytes + " bytes");
        }
        return base
                + start
                + arena.allocate(bytes)
                        .orElseThrow(() ->
                                new DeviceException(
                                        DeviceError.OUT_OF_MEMORY,
                                        bytes
                                                + " bytes asked for, "
                                                + arena.used()
                                                + " of "
                                                + (size - start)
                                                + " are in use"));
    }

    synchronized void allocateAt(long address, long bytes) {
        long offset = address - base;
        boolean inside =
                bytes > 0
                        && offset >= 0
                        && bytes <= start
                        && offset <= start - bytes
                        && offset % Arena.ALIGNMENT == 0;
        if (!inside) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    bytes
                            + " bytes at 0x"
                            + Long.toHexString(address)
                            + " are not for the client to choose");
        }
        Map.Entry<Long, Long> before = chosen.floorEntry(offset + bytes - 1);
        if (before != null && before.getKey() + before.getValue() > offset) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    bytes + " bytes at 0x" + Long.toHexString(address) + " are taken already");
        }
        chosen.put(offset, bytes);
        chosenBytes += bytes;
    }

    synchronized boolean isTaken(long address) {
        return chosen.containsKey(address - base) || arena.isTaken(address - base - start);
    }

    synchronized void release(long address) {
        long offset = address - base;
        Long length = chosen.remove(offset);
        if (length != null) {
            chosenBytes -= length;
            if (space != null && !closed) {
                space.release().released(offset, length);
            }
            return;
        }
        arena.release(offset - start)
                .ifPresent(freed -> {
                    if (!closed) {
                        zero(offset, freed);
                    }
                });
    }

    private void zero(long offset, long bytes) {
        if (mapping != null) {
            mapping.zero(offset, bytes);
        } else {
            segment.asSlice(offset, bytes).fill((byte) 0);
        }
    }

    synchronized long used() {
        return arena.used() + chosenBytes;
    }

    /** The bytes at a device address, for copies; throws when they are not all in the context. */
    MemorySegment at(long address, long bytes) {
        long offset = address - base;
        if (bytes < 0 || bytes > size || offset < 0 || offset > size - bytes) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    bytes
                            + " bytes at 0x"
                            + Long.toHexString(address)
                            + " are not in this context's memory");
        }
        return segment.asSlice(offset, bytes);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (mapping != null) {
            mapping.close();
        }
    }
}
