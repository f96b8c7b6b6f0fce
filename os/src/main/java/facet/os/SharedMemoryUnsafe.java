package facet.os;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Memory that other processes can map: a file without a name, sparse, of fixed size.
 *
 * <p>SAFETY: the size is sealed, so no process can take pages away from under the mapping (that
 * would be a SIGBUS here). The segment knows when it is closed; an {@link #address} does not, and
 * whoever keeps one must know that nobody uses it after {@link #close}.
 */
public final class SharedMemoryUnsafe implements AutoCloseable {
    /** Below this many bytes, writing zeros costs less than asking the system. */
    private static final long PUNCH_FROM = 64 << 10;

    private static final long PAGE = 4096;

    /** Bytes that are copied at a time. */
    private static final long PIECE = 4 << 20;

    /** How many runs of pages {@link #resident(long, long)} looks at. */
    private static final int MOST_PIECES = 20_000;

    private final int descriptor;
    private final long address;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;
    private boolean closed;

    private SharedMemoryUnsafe(int descriptor, long address, long bytes, Runnable unmap) {
        this.descriptor = descriptor;
        this.address = address;
        segment = bounded(address, bytes, arena, unmap);
    }

    // SAFETY: the mapping that mmap has just made is exactly so long; it is removed when the arena
    // is closed, so no access through the segment can come after that.
    @SuppressWarnings("restricted")
    private static MemorySegment bounded(long address, long bytes, Arena arena, Runnable unmap) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, ignored -> unmap.run());
    }

    /**
     * New memory, zeroed; pages are taken when they are touched.
     *
     * @param name for people who look at /proc/PID/maps
     */
    public static SharedMemoryUnsafe create(String name, long bytes) throws SystemCallException {
        return map(file(name, bytes), bytes);
    }

    /** The same for what kernels access: far from everything else in this process. */
    public static SharedMemoryUnsafe createGuarded(String name, long bytes)
            throws SystemCallException {
        int descriptor = file(name, bytes);
        GuardedUnsafe place =
                GuardedUnsafe.map(bytes, GuardedUnsafe.FAR, AddressSpaceUnsafe.SHARED, descriptor);
        return opened(descriptor, place.address(), bytes, place::close);
    }

    private static int file(String name, long bytes) throws SystemCallException {
        if (bytes <= 0) {
            throw new IllegalArgumentException("shared memory of " + bytes + " bytes");
        }
        int descriptor = MemoryFileUnsafe.create(name);
        if (descriptor < 0) {
            throw new SystemCallException("cannot create shared memory", -descriptor);
        }
        int result = MemoryFileUnsafe.resize(descriptor, bytes);
        if (result == 0) {
            result =
                    MemoryFileUnsafe.seal(
                            descriptor,
                            MemoryFileUnsafe.F_SEAL_SHRINK
                                    | MemoryFileUnsafe.F_SEAL_GROW
                                    | MemoryFileUnsafe.F_SEAL_SEAL);
        }
        if (result < 0) {
            DescriptorUnsafe.close(descriptor);
            throw new SystemCallException(
                    "cannot make shared memory of " + bytes + " bytes", -result);
        }
        return descriptor;
    }

    /**
     * Maps memory that another process made. The descriptor is taken over, and closed when this
     * fails.
     */
    public static SharedMemoryUnsafe attach(int descriptor) throws SystemCallException {
        int seals = MemoryFileUnsafe.seals(descriptor);
        if (seals < 0 || (seals & MemoryFileUnsafe.F_SEAL_SHRINK) == 0) {
            DescriptorUnsafe.close(descriptor);
            throw new SystemCallException(
                    "cannot trust shared memory that is not sealed against shrinking",
                    seals < 0 ? -seals : ErrnoUnsafe.EPERM,
                    "; seal it with F_SEAL_SHRINK before it is sent");
        }
        long bytes = MemoryFileUnsafe.size(descriptor);
        if (bytes <= 0) {
            DescriptorUnsafe.close(descriptor);
            throw new SystemCallException(
                    "cannot map shared memory of no size",
                    bytes < 0 ? (int) -bytes : ErrnoUnsafe.EINVAL,
                    "; give it a size before it is sealed");
        }
        return map(descriptor, bytes);
    }

    private static SharedMemoryUnsafe map(int descriptor, long bytes) throws SystemCallException {
        long address = AddressSpaceUnsafe.map(bytes, AddressSpaceUnsafe.SHARED, descriptor);
        return opened(descriptor, address, bytes, () -> AddressSpaceUnsafe.unmap(address, bytes));
    }

    /**
     * @param address of the mapping, or minus errno
     */
    private static SharedMemoryUnsafe opened(
            int descriptor, long address, long bytes, Runnable unmap) throws SystemCallException {
        if (address < 0) {
            DescriptorUnsafe.close(descriptor);
            throw new SystemCallException(
                    "cannot map shared memory of " + bytes + " bytes", (int) -address);
        }
        // Where huge pages are off it says so; small ones serve too.
        AddressSpaceUnsafe.advise(address, bytes, AddressSpaceUnsafe.HUGE_PAGES);
        return new SharedMemoryUnsafe(descriptor, address, bytes, unmap);
    }

    public MemorySegment segment() {
        return segment;
    }

    public long address() {
        return address;
    }

    public long bytes() {
        return segment.byteSize();
    }

    /** To be sent to others; it stays ours. */
    public int descriptor() {
        return descriptor;
    }

    /** Makes the range read as zeros again, in every process; whole pages go back to the system. */
    public void punch(long offset, long bytes) {
        MemorySegment range = segment.asSlice(offset, bytes);
        // To write zeros to pages that nobody has would take them.
        boolean wholePages = offset % PAGE == 0 && bytes % PAGE == 0;
        if (bytes < PUNCH_FROM && !wholePages
                || MemoryFileUnsafe.punch(descriptor, offset, bytes) < 0) {
            range.fill((byte) 0);
        }
    }

    /** Whether a range has any pages. Takes the same time however many there are. */
    public boolean isUsed(long offset, long bytes) {
        long end = Objects.checkFromIndexSize(offset, bytes, bytes()) + bytes;
        long data = MemoryFileUnsafe.data(descriptor, offset);
        return data >= 0 && data < end;
    }

    /**
     * Bytes of the pages that a range has; the system looks at all pages up to the next hole, also
     * behind the range. What lies in very many pieces is not all counted: looking for it would take
     * long.
     */
    public long resident(long offset, long bytes) {
        long end = Objects.checkFromIndexSize(offset, bytes, bytes()) + bytes;
        long sum = 0;
        long at = offset;
        for (int piece = 0; piece < MOST_PIECES && at < end; piece++) {
            long data = MemoryFileUnsafe.data(descriptor, at);
            if (data < 0 || data >= end) {
                break;
            }
            long hole = MemoryFileUnsafe.hole(descriptor, data);
            at = hole < 0 ? end : Math.min(hole, end);
            sum += at - data;
        }
        return sum;
    }

    /** Takes a piece of shared memory. */
    @FunctionalInterface
    public interface PieceConsumer {
        /**
         * @param piece as it is in the memory; others may change it meanwhile
         */
        void accept(long offset, MemorySegment piece) throws IOException;
    }

    /**
     * What is in a range, piece by piece; pages that nobody ever wrote take no time.
     *
     * @param stop asked now and then; when it says so the rest is left out
     */
    public void pieces(long offset, long bytes, BooleanSupplier stop, PieceConsumer consumer)
            throws IOException {
        long end = Objects.checkFromIndexSize(offset, bytes, bytes()) + bytes;
        long at = offset;
        while (at < end && !stop.getAsBoolean()) {
            long data = MemoryFileUnsafe.data(descriptor, at);
            if (data == -ErrnoUnsafe.ENXIO || data >= end) {
                return;
            }
            if (data < 0) {
                throw new SystemCallException("cannot look into shared memory", (int) -data);
            }
            at = Math.max(at, data);
            long hole = MemoryFileUnsafe.hole(descriptor, at);
            long piece = Math.min(Math.min(hole < 0 ? end : hole, end) - at, PIECE);
            consumer.accept(at, segment.asSlice(at, piece));
            at += piece;
        }
    }

    /**
     * Writes through the system, which says when there is no memory for it; writing to the segment
     * would end the process then.
     *
     * @param piece not in the heap
     */
    public void write(long offset, MemorySegment piece) throws SystemCallException {
        Objects.checkFromIndexSize(offset, piece.byteSize(), bytes());
        for (long done = 0; done < piece.byteSize(); ) {
            long written = MemoryFileUnsafe.write(descriptor, piece.asSlice(done), offset + done);
            if (written <= 0) {
                throw new SystemCallException("cannot write shared memory", (int) -written);
            }
            done += written;
        }
    }

    /**
     * Bytes of memory that it takes, on behalf of whoever touched it: whole pages, in memory or
     * swapped out.
     */
    public long resident() {
        long result = MemoryFileUnsafe.resident(descriptor);
        if (result < 0) {
            throw new IllegalStateException("statx of shared memory: error " + -result);
        }
        return result;
    }

    /**
     * Closes, and gives all pages back to the system, whoever still has them mapped or keeps a
     * descriptor: others read zeros from now on. What they touch then is theirs, not ours.
     */
    public void discard() {
        if (MemoryFileUnsafe.punch(descriptor, 0, bytes()) < 0) {
            segment.fill((byte) 0);
        }
        close();
    }

    /** Unmaps. Access through the segment throws from now on; others keep what they have mapped. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            arena.close();
            DescriptorUnsafe.close(descriptor);
        }
    }
}
