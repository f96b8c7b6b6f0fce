package facet.device.nvidia;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Memory;
import facet.device.nvidia.foreign.DriverMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a context: addresses that somebody else has chosen, and memory of the device at
 * those that are used. It comes in granules (2 MiB), which are mapped before work begins that may
 * touch them: the device does not wait for a page as a processor does.
 */
final class NvidiaMemory implements Memory {
    /** What is taken at once and goes at once: memory moves to and fro in such pieces. */
    private static final long CHUNK = 32L << 20;

    private static final long PIECE = 1L << 20;

    private final NvidiaDevice device;
    private final long bytes;

    /** Offset to memory that is mapped there. */
    private final TreeMap<Long, Chunk> chunks = new TreeMap<>();

    /** Offset to length of what was given out. */
    private final TreeMap<Long, Long> taken = new TreeMap<>();

    private @Nullable NvidiaContext context;
    private long base;
    private boolean reserved;

    /** Whether something was given out that is not mapped. */
    private volatile boolean lacking;

    private record Chunk(long bytes, long handle) {}

    NvidiaMemory(NvidiaDevice device, long bytes) {
        this.device = device;
        this.bytes = bytes;
    }

    private DriverMemory driver() {
        return device.memory();
    }

    /**
     * It is at these addresses from now on.
     *
     * @throws DeviceException {@link DeviceError#ADDRESS_TAKEN} when something else is there
     */
    synchronized void reserve(long address) {
        long granule = device.granule();
        if (address % granule != 0 || bytes % granule != 0) {
            throw new DeviceException(
                    DeviceError.ADDRESS_TAKEN,
                    "0x" + Long.toHexString(address) + " is no multiple of " + granule);
        }
        driver().reserve(address, bytes, granule);
        reserved = true;
        base = address;
    }

    /** It is this context's from now on. */
    synchronized void attach(NvidiaContext its) {
        context = its;
    }

    /** The context is about to end. */
    synchronized void detach() {
        context = null;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    // ---- what is given out

    synchronized void take(long offset, long length) {
        boolean outside = offset < 0 || length <= 0 || offset > bytes - length;
        Map.Entry<Long, Long> before = outside ? null : taken.lowerEntry(offset + length);
        if (outside || before != null && before.getKey() + before.getValue() > offset) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    length + " bytes at offset " + offset + " are taken, or outside");
        }
        taken.put(offset, length);
        lacking |= !isMapped(offset, length);
    }

    synchronized void give(long offset) {
        if (taken.remove(offset) == null) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE, "nothing was taken at offset " + offset);
        }
    }

    synchronized long used() {
        return taken.values().stream().mapToLong(each -> each).sum();
    }

    /** Before work begins that may touch all of it. */
    void provide() {
        if (lacking) {
            provideNow();
        }
    }

    private synchronized void provideNow() {
        for (Map.Entry<Long, Long> each : taken.entrySet()) {
            map(each.getKey(), each.getValue());
        }
        lacking = false;
    }

    // ---- what is mapped

    private long down(long offset) {
        return offset / device.granule() * device.granule();
    }

    private long up(long offset) {
        return down(offset + device.granule() - 1);
    }

    private boolean isMapped(long offset, long length) {
        long at = offset;
        while (at < offset + length) {
            Chunk chunk = chunkAt(at);
            if (chunk == null) {
                return false;
            }
            at = chunks.floorKey(at) + chunk.bytes;
        }
        return true;
    }

    private @Nullable Chunk chunkAt(long offset) {
        Map.Entry<Long, Chunk> entry = chunks.floorEntry(offset);
        return entry != null && offset - entry.getKey() < entry.getValue().bytes
                ? entry.getValue()
                : null;
    }

    private void map(long offset, long length) {
        long at = down(offset);
        long end = up(offset + length);
        while (at < end) {
            Chunk there = chunkAt(at);
            if (there != null) {
                at = chunks.floorKey(at) + there.bytes;
                continue;
            }
            Long next = chunks.higherKey(at);
            long limit = Math.min(end, (at / CHUNK + 1) * CHUNK);
            mapAt(at, (next == null ? limit : Math.min(limit, next)) - at);
        }
    }

    private void mapAt(long offset, long length) {
        NvidiaContext its = use();
        long handle = driver().create(device.handle(), length);
        boolean mapped = false;
        try {
            driver().map(device.handle(), base + offset, length, handle);
            mapped = true;
        } finally {
            if (!mapped) {
                driver().release(handle);
            }
        }
        chunks.put(offset, new Chunk(length, handle));
        driver().fill(base + offset, 0, 1, length, its.memoryStream());
        its.settleMemory();
    }

    private void unmap(long offset, Chunk chunk) {
        driver().unmap(base + offset, chunk.bytes);
        driver().release(chunk.handle);
        chunks.remove(offset);
    }

    private NvidiaContext use() {
        NvidiaContext its = context;
        if (its == null) {
            throw new DeviceException(DeviceError.DEINITIALIZED, "its context has ended");
        }
        its.use();
        return its;
    }

    // ---- bytes

    @Override
    public void write(long offset, MemorySegment source) {
        NvidiaContext its = writeNow(offset, source);
        // Without the lock, which comes behind that of textures.
        if (its != null) {
            its.textures().written(base + offset, source.byteSize());
        }
    }

    /** The context that has it; null when it is lost. */
    private synchronized @Nullable NvidiaContext writeNow(long offset, MemorySegment source) {
        check(offset, source.byteSize());
        if (isLost()) {
            return null;
        }
        map(offset, source.byteSize());
        NvidiaContext its = use();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment here = source;
            if (!source.isNative()) {
                here = scratch.allocate(source.byteSize());
                here.copyFrom(source);
            }
            driver().toDevice(base + offset, here, its.memoryStream());
            its.settleMemory();
        }
        return its;
    }

    @Override
    public synchronized void read(long offset, MemorySegment destination) {
        check(offset, destination.byteSize());
        destination.fill((byte) 0);
        if (isLost()) {
            return;
        }
        long end = offset + destination.byteSize();
        for (Map.Entry<Long, Chunk> each : chunksIn(offset, destination.byteSize()).entrySet()) {
            long from = Math.max(offset, each.getKey());
            long to = Math.min(end, each.getKey() + each.getValue().bytes);
            readMapped(from, destination.asSlice(from - offset, to - from));
        }
    }

    private void readMapped(long offset, MemorySegment destination) {
        NvidiaContext its = use();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment here =
                    destination.isNative() ? destination : scratch.allocate(destination.byteSize());
            driver().fromDevice(here, base + offset, its.memoryStream());
            its.settleMemory();
            if (!destination.isNative()) {
                destination.copyFrom(here);
            }
        }
    }

    /** After a fault there is nothing to be had from the driver any more. */
    private boolean isLost() {
        NvidiaContext its = context;
        return its == null || its.fault().isPresent();
    }

    /** Behind it are addresses that are somebody else's. */
    private void check(long offset, long length) {
        if (offset < 0 || length < 0 || offset > bytes - length) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    length + " bytes at offset " + offset + " are outside of " + bytes);
        }
    }

    private SortedMap<Long, Chunk> chunksIn(long offset, long length) {
        Map.Entry<Long, Chunk> first = chunks.floorEntry(offset);
        long from =
                first != null && first.getKey() + first.getValue().bytes > offset
                        ? first.getKey()
                        : offset;
        return new TreeMap<>(chunks.subMap(from, Math.max(from, offset + length)));
    }

    @Override
    public synchronized void clear(long offset, long length) {
        check(offset, length);
        long end = offset + length;
        for (Map.Entry<Long, Chunk> each : chunksIn(offset, length).entrySet()) {
            long start = each.getKey();
            Chunk chunk = each.getValue();
            if (start >= offset && start + chunk.bytes <= end) {
                unmap(start, chunk);
                lacking |= isTaken(start, chunk.bytes);
            } else if (!isLost()) {
                NvidiaContext its = use();
                long from = Math.max(offset, start);
                long to = Math.min(end, start + chunk.bytes);
                driver().fill(base + from, 0, 1, to - from, its.memoryStream());
                its.settleMemory();
            }
        }
    }

    private boolean isTaken(long offset, long length) {
        Map.Entry<Long, Long> last = taken.lowerEntry(offset + length);
        return last != null && last.getKey() + last.getValue() > offset;
    }

    @Override
    public synchronized long resident() {
        return resident(0, bytes);
    }

    /** What was given out and is mapped; the rest of a granule is nobody's. */
    @Override
    public synchronized long resident(long offset, long length) {
        check(offset, length);
        long sum = 0;
        for (Map.Entry<Long, Chunk> each : chunksIn(offset, length).entrySet()) {
            long from = Math.max(offset, each.getKey());
            long to = Math.min(offset + length, each.getKey() + each.getValue().bytes);
            sum += takenIn(from, to);
        }
        return sum;
    }

    private long takenIn(long from, long to) {
        Map.Entry<Long, Long> first = taken.floorEntry(from);
        long at = first == null ? from : first.getKey();
        long sum = 0;
        for (Map.Entry<Long, Long> each : taken.subMap(at, Math.max(at, to)).entrySet()) {
            long start = Math.max(from, each.getKey());
            sum += Math.max(0, Math.min(to, each.getKey() + each.getValue()) - start);
        }
        return sum;
    }

    @Override
    public synchronized boolean isUsed(long offset, long length) {
        check(offset, length);
        return !chunksIn(offset, length).isEmpty();
    }

    @Override
    public void save(long offset, long length, Sink sink, BooleanSupplier stop) throws IOException {
        check(offset, length);
        long end = offset + length;
        SortedMap<Long, Chunk> present;
        synchronized (this) {
            present = chunksIn(offset, length);
        }
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment piece = scratch.allocate(PIECE);
            for (Map.Entry<Long, Chunk> each : present.entrySet()) {
                long to = Math.min(end, each.getKey() + each.getValue().bytes);
                for (long at = Math.max(offset, each.getKey()); at < to; at += PIECE) {
                    if (stop.getAsBoolean()) {
                        return;
                    }
                    MemorySegment part = piece.asSlice(0, Math.min(PIECE, to - at));
                    read(at, part);
                    sink.put(at, part);
                }
            }
        }
    }

    @Override
    public void restore(long offset, MemorySegment piece) throws IOException {
        try {
            write(offset, piece);
        } catch (DeviceException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public Optional<Mapping> mapping() {
        return Optional.empty();
    }

    @Override
    public synchronized void close() {
        Map.copyOf(chunks).forEach(this::unmap);
        if (reserved) {
            driver().unreserve(base, bytes);
            reserved = false;
        }
    }
}
