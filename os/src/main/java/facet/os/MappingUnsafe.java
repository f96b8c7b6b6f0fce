package facet.os;

import java.lang.foreign.MemorySegment;

/**
 * Anonymous memory from the kernel: zeroed, touched lazily, in huge pages where there are, and with
 * guards around it.
 *
 * <p>SAFETY: the address is valid until {@link #close}; whoever keeps it must know that nobody
 * reads or writes it after that.
 */
public final class MappingUnsafe implements AutoCloseable {
    private static final long HUGE = 2L << 20;
    private static final long PAGE = 4096;

    private final GuardedUnsafe place;
    private final MemorySegment segment;

    private MappingUnsafe(GuardedUnsafe place, MemorySegment segment) {
        this.place = place;
        this.segment = segment;
    }

    /** For small or scattered use. */
    public static MappingUnsafe of(long bytes) {
        return map(roundUp(bytes, PAGE), GuardedUnsafe.NEAR, false);
    }

    /** For data: in huge pages where the system has them, and far from everything else. */
    public static MappingUnsafe huge(long bytes) {
        return map(roundUp(bytes, HUGE), GuardedUnsafe.FAR, true);
    }

    private static long roundUp(long bytes, long unit) {
        return Math.addExact(bytes, unit - 1) / unit * unit;
    }

    private static MappingUnsafe map(long size, long guard, boolean huge) {
        GuardedUnsafe place = GuardedUnsafe.map(size, guard, AddressSpaceUnsafe.ANONYMOUS, -1);
        if (!place.isMapped()) {
            throw new OutOfMemoryError("the system gives no mapping of " + size + " bytes");
        }
        long address = place.address();
        if (huge) {
            // Where huge pages are off it says so; small ones serve too.
            AddressSpaceUnsafe.advise(address, size, AddressSpaceUnsafe.HUGE_PAGES);
        }
        // SAFETY: the mapping that mmap has just made is exactly so long.
        @SuppressWarnings("restricted")
        MemorySegment segment = MemorySegment.ofAddress(address).reinterpret(size);
        return new MappingUnsafe(place, segment);
    }

    public long address() {
        return segment.address();
    }

    public MemorySegment segment() {
        return segment;
    }

    /** Makes the range read as zeros again, whole pages by giving them back to the system. */
    public void zero(long offset, long bytes) {
        long first = (offset + PAGE - 1) / PAGE * PAGE;
        long last = (offset + bytes) / PAGE * PAGE;
        if (last - first < 16 * PAGE) {
            segment.asSlice(offset, bytes).fill((byte) 0);
            return;
        }
        segment.asSlice(offset, first - offset).fill((byte) 0);
        segment.asSlice(last, offset + bytes - last).fill((byte) 0);
        MemorySegment whole = segment.asSlice(first, last - first);
        if (AddressSpaceUnsafe.advise(
                        whole.address(), whole.byteSize(), AddressSpaceUnsafe.DONT_NEED)
                < 0) {
            whole.fill((byte) 0);
        }
    }

    @Override
    public void close() {
        place.close();
    }
}
