package facet.jit.runtime;

/**
 * Checks of global addresses that are read: as those of {@link AccessUnsafe}, and what lies outside
 * of the context's memory is looked for in what else the launch may touch, {@link PeerWindows}.
 * What is found there comes back so that the context's delta leads to it. {@link GlobalWrites} has
 * the same for those that are written: the context's own memory is both, other memory may be one
 * alone.
 *
 * <p>Several accesses may be checked by their lowest and their highest: then {@code span} is the
 * way from the one that is checked to the other, and both must lie in the same memory.
 */
public final class GlobalChecks {
    private GlobalChecks() {}

    public static long check1(long address, long base, long size, Block block) {
        if (Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 1, 0, base, size, false, block);
        }
        return address;
    }

    public static long check1(long address, long base, long size, int span, Block block) {
        if (Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 1, span, base, size, false, block);
        }
        return address;
    }

    public static long check2(long address, long base, long size, Block block) {
        if ((address & 1) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 2, 0, base, size, false, block);
        }
        return address;
    }

    public static long check2(long address, long base, long size, int span, Block block) {
        if ((address & 1) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 2, span, base, size, false, block);
        }
        return address;
    }

    public static long check4(long address, long base, long size, Block block) {
        if ((address & 3) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 4, 0, base, size, false, block);
        }
        return address;
    }

    public static long check4(long address, long base, long size, int span, Block block) {
        if ((address & 3) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 4, span, base, size, false, block);
        }
        return address;
    }

    public static long check8(long address, long base, long size, Block block) {
        if ((address & 7) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 8, 0, base, size, false, block);
        }
        return address;
    }

    public static long check8(long address, long base, long size, int span, Block block) {
        if ((address & 7) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 8, span, base, size, false, block);
        }
        return address;
    }

    public static long check16(long address, long base, long size, Block block) {
        if ((address & 15) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 16, 0, base, size, false, block);
        }
        return address;
    }

    public static long check16(long address, long base, long size, int span, Block block) {
        if ((address & 15) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 16, span, base, size, false, block);
        }
        return address;
    }

    public static long check32(long address, long base, long size, Block block) {
        if ((address & 31) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 32, 0, base, size, false, block);
        }
        return address;
    }

    public static long check32(long address, long base, long size, int span, Block block) {
        if ((address & 31) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return elsewhere(address, 32, span, base, size, false, block);
        }
        return address;
    }

    /**
     * So many bytes for each lane from the address on.
     *
     * @param span to the other end of a group; 0: there is none
     */
    public static long checkRow(
            long address, long base, long size, int width, int lanes, int span, Block block) {
        return VectorsUnsafe.isRow(address, base, size, width, lanes)
                ? address
                : rowElsewhere(address, base, size, width, lanes, span, false, block);
    }

    static long elsewhere(
            long address, int width, int span, long base, long size, boolean writes, Block block) {
        long found = find(address, width, span, base, size, writes, block);
        if ((address & (width - 1)) != 0 || found == PeerWindows.NOWHERE) {
            throw AccessUnsafe.fault(address, width);
        }
        return found - block.grid.memoryDelta();
    }

    static long rowElsewhere(
            long address,
            long base,
            long size,
            int width,
            int lanes,
            int span,
            boolean writes,
            Block block) {
        long found = find(address, width * lanes, span, base, size, writes, block);
        if ((address & (width - 1)) != 0 || found == PeerWindows.NOWHERE) {
            throw VectorsUnsafe.rowFault(address, base, size, width, lanes);
        }
        return found - block.grid.memoryDelta();
    }

    /** SAFETY: all bytes from the lowest to the highest access are in one window, or none is. */
    private static long find(
            long address, int width, int span, long base, long size, boolean writes, Block block) {
        PeerWindows windows = block.grid.windows();
        long low = address + Math.min(span, 0);
        // The highest is outside of the own memory and the lowest inside: they do not go together.
        if (span < 0 && Generic.isInside(low, base, size)) {
            return PeerWindows.NOWHERE;
        }
        long found = windows.find(low, Math.abs((long) span) + width, writes);
        return found == PeerWindows.NOWHERE ? found : found + (address - low);
    }
}
