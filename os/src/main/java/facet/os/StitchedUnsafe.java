package facet.os;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Pieces of files, mapped one behind the other at addresses of this process.
 *
 * <p>SAFETY: the files are shared memory of our own whose size is sealed, so all pages of a piece
 * are there. The addresses are valid until {@link #close}; whoever keeps the segment must know that
 * nobody reads or writes it after that.
 */
public final class StitchedUnsafe implements AutoCloseable {
    private static final long PAGE = 4096;

    private final long start;
    private final long bytes;

    /**
     * @param offset in the file; it and the size are multiples of the page size
     */
    public record Piece(int descriptor, long offset, long bytes) {
        public Piece {
            if (offset < 0 || bytes <= 0 || offset % PAGE != 0 || bytes % PAGE != 0) {
                throw new IllegalArgumentException("a piece of " + bytes + " bytes at " + offset);
            }
        }
    }

    private StitchedUnsafe(long start, long bytes) {
        this.start = start;
        this.bytes = bytes;
    }

    public static StitchedUnsafe of(List<Piece> pieces) throws SystemCallException {
        long all = 0;
        for (Piece each : pieces) {
            all = Math.addExact(all, each.bytes);
        }
        // Beside it nothing is to be met by an access that is wrong by a little.
        long guard = GuardedUnsafe.NEAR;
        long reserved = Math.addExact(all, 2 * guard);
        long start = AddressSpaceUnsafe.reserve(reserved);
        if (start < 0) {
            throw new SystemCallException("no addresses for " + all + " bytes", (int) -start);
        }
        StitchedUnsafe made = new StitchedUnsafe(start, reserved);
        long at = start + guard;
        for (Piece each : pieces) {
            long mapped =
                    AddressSpaceUnsafe.mapAt(
                            at,
                            each.bytes,
                            AddressSpaceUnsafe.SHARED,
                            each.descriptor,
                            each.offset);
            if (mapped < 0) {
                made.close();
                throw new SystemCallException("cannot map a piece of a file", (int) -mapped);
            }
            at += each.bytes;
        }
        return made;
    }

    /** All pieces. */
    @SuppressWarnings("restricted")
    public MemorySegment segment() {
        long guard = GuardedUnsafe.NEAR;
        // SAFETY: what lies between the guards is mapped, see above.
        return MemorySegment.ofAddress(start + guard).reinterpret(bytes - 2 * guard);
    }

    @Override
    public void close() {
        AddressSpaceUnsafe.unmap(start, bytes);
    }
}
