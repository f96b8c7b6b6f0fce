package facet.os;

/**
 * A mapping with guard space before and behind it: addresses that are reserved and that nobody can
 * read or write.
 *
 * <pre>
 *    start            address           address + bytes           start + reserved
 *      |  no access      |   the mapping     |      no access          |
 *      '--- guard or more ---'               '----- guard or more -----'
 * </pre>
 *
 * The check of each access is what keeps kernels in their memory. Where one of them is wrong by as
 * much as an instruction can add to an address, it is to meet a fault and not a neighbour.
 *
 * <p>SAFETY: the addresses are ours until {@link #close}; see {@link MappingUnsafe} and {@link
 * SharedMemoryUnsafe} for who may use them.
 */
final class GuardedUnsafe {
    /** Of what one kernel works with: a 32-bit offset, of either sign, does not cross it. */
    static final long NEAR = 4L << 30;

    /** Between contexts, on each side: 32-bit numbers of elements of 16 bytes do not cross two. */
    static final long FAR = 32L << 30;

    private static final long HUGE_PAGE = 2L << 20;

    private final long start;
    private final long reserved;
    private final long address;

    private GuardedUnsafe(long start, long reserved, long address) {
        this.start = start;
        this.reserved = reserved;
        this.address = address;
    }

    /**
     * Maps so many bytes, a multiple of the page size. Where the system has no room for the guard
     * it is halved, but not below {@link #NEAR}.
     *
     * @return minus errno in {@link #address} when it cannot be mapped
     */
    static GuardedUnsafe map(long bytes, long guard, int flags, int descriptor) {
        long most = Long.MAX_VALUE - 2 * guard - 2 * HUGE_PAGE;
        if (bytes <= 0 || bytes > most) {
            return new GuardedUnsafe(0, 0, -ErrnoUnsafe.EINVAL);
        }
        // Room to begin at a huge page, wherever the reservation does.
        long reserved = bytes + 2 * guard + 2 * HUGE_PAGE;
        long start = AddressSpaceUnsafe.reserve(reserved);
        if (start < 0) {
            return guard / 2 < NEAR
                    ? new GuardedUnsafe(0, 0, start)
                    : map(bytes, guard / 2, flags, descriptor);
        }
        long inside = (start + guard + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
        long address = AddressSpaceUnsafe.mapAt(inside, bytes, flags, descriptor);
        if (address < 0) {
            AddressSpaceUnsafe.unmap(start, reserved);
        }
        return new GuardedUnsafe(start, reserved, address);
    }

    /** Where the mapping is. */
    long address() {
        return address;
    }

    boolean isMapped() {
        return address > 0;
    }

    /** Removes the mapping and its guards. */
    void close() {
        AddressSpaceUnsafe.unmap(start, reserved);
    }
}
