package facet.device.cpu;

import facet.device.AddressSpace;
import facet.device.ContextOptions;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Window;
import facet.os.MappingUnsafe;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a context: its own mapping, or the address space that it was given. In the latter
 * the client chooses addresses above a border and we below it, from the border downwards. What is
 * taken so stays together, and kernels reach no more than from its lowest to its highest byte.
 * Thread-safe.
 *
 * <pre>
 *   base            low            border            high           base + size
 *    |   never used  |   ours   &lt;-    |   -&gt;  client's  |   never used  |
 *                    '------- what kernels reach -------'
 * </pre>
 */
final class ContextMemory implements AutoCloseable {
    /** Where contexts start that have no address space given. */
    static final long BASE = 0x7000_0000_0000L;

    private final @Nullable CpuMemory given;
    private final @Nullable MappingUnsafe mapping;
    private final MemorySegment segment;
    private final long base;
    private final long size;

    /** Offset where the client's part begins; 0 when all is ours, and then it grows upwards. */
    private final long border;

    private final Arena arena;

    /** What we have given out: offset in memory to offset in the arena. */
    private final Map<Long, Long> own = new HashMap<>();

    /** What the client has taken: offset to length. */
    private final TreeMap<Long, Long> chosen = new TreeMap<>();

    private long chosenBytes;
    private volatile long low;
    private volatile long high;
    private boolean closed;

    ContextMemory(ContextOptions options) {
        AddressSpace space = options.space();
        if (space == null) {
            given = null;
            mapping = MappingUnsafe.huge(options.memory());
            segment = mapping.segment();
            base = BASE;
            border = 0;
            size = options.memory();
            arena = new Arena(size);
        } else {
            mapping = null;
            given = (CpuMemory) space.memory();
            segment = given.segment();
            base = space.base();
            border = space.own() / Arena.ALIGNMENT * Arena.ALIGNMENT;
            size = segment.byteSize() / Arena.ALIGNMENT * Arena.ALIGNMENT;
            arena = new Arena(border);
        }
        low = border;
        high = border;
    }

    /** Device address of the lowest byte that a kernel launched now may access. */
    long lowest() {
        return base + low;
    }

    /** First device address behind what a kernel launched now may access. */
    long end() {
        return base + high;
    }

    /** What a kernel launched now may access. */
    synchronized Window reachable() {
        return new Window(lowest(), segment.asSlice(low, high - low));
    }

    /** What turns a device address into one of this process. */
    long delta() {
        return segment.address() - base;
    }

    /** What is taken has new ends. They are multiples of 256, so aligned accesses end inside. */
    private void measure() {
        if (given == null) {
            high = arena.highest();
            return;
        }
        low = border - arena.highest();
        Map.Entry<Long, Long> last = chosen.lastEntry();
        long behind = last == null ? border : last.getKey() + last.getValue();
        high = (behind + Arena.ALIGNMENT - 1) / Arena.ALIGNMENT * Arena.ALIGNMENT;
    }

    synchronized long allocate(long bytes) {
        if (bytes <= 0) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE, "an allocation of " + bytes + " bytes");
        }
        long at =
                arena.allocate(bytes)
                        .orElseThrow(() ->
                                new DeviceException(
                                        DeviceError.OUT_OF_MEMORY,
                                        bytes
                                                + " bytes asked for, "
                                                + arena.used()
                                                + " of "
                                                + (given == null ? size : border)
                                                + " are in use"));
        long offset = given == null ? at : border - at - arena.length(at);
        own.put(offset, at);
        measure();
        return base + offset; // bounded: by the size
    }

    synchronized void allocateAt(long address, long bytes) {
        long offset = address - base;
        boolean inside =
                bytes > 0
                        && given != null
                        && offset >= border
                        && bytes <= size - border
                        && offset <= size - bytes
                        && offset % Arena.ALIGNMENT == 0;
        if (!inside) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    bytes
                            + " bytes at 0x"
                            + Long.toHexString(address)
                            + " are not for the client to choose");
        }
        // bounded: inside, by the check above
        Map.Entry<Long, Long> before = chosen.floorEntry(offset + bytes - 1);
        if (before != null && before.getKey() + before.getValue() > offset) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    bytes + " bytes at 0x" + Long.toHexString(address) + " are taken already");
        }
        chosen.put(offset, bytes);
        chosenBytes += bytes;
        measure();
    }

    synchronized boolean isTaken(long address) {
        return chosen.containsKey(address - base) || own.containsKey(address - base);
    }

    /** Pages of what the client chose are the client's to give back. */
    synchronized void release(long address) {
        long offset = address - base;
        Long length = chosen.remove(offset);
        if (length != null) {
            chosenBytes -= length;
            measure();
            return;
        }
        Long at = own.remove(offset);
        if (at != null) {
            long freed = arena.release(at).orElseThrow();
            if (!closed) {
                zero(offset, freed);
            }
            measure();
        }
    }

    private void zero(long offset, long bytes) {
        if (mapping != null) {
            mapping.zero(offset, bytes);
        } else if (given != null) {
            given.clear(offset, bytes);
        }
    }

    synchronized long used() {
        return arena.used() + chosenBytes;
    }

    /** Whether the bytes are all at addresses of the context. */
    boolean contains(long address, long bytes) {
        long offset = address - base;
        return bytes >= 0 && bytes <= size && offset >= 0 && offset <= size - bytes;
    }

    /** The bytes at a device address, for copies; throws when they are not all in the context. */
    MemorySegment at(long address, long bytes) {
        long offset = address - base;
        if (!contains(address, bytes)) {
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
