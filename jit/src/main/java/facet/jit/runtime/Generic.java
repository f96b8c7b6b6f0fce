package facet.jit.runtime;

/** Generic addresses: which space an address lies in, and where that is in this process. */
public final class Generic {
    private Generic() {}

    /** The address in this process of {@code width} bytes that thread {@code t} may read. */
    public static long resolve(Block block, int t, long address, int width) {
        return resolve(block, t, address, width, false);
    }

    /** The same of what it may write. */
    public static long resolveToWrite(Block block, int t, long address, int width) {
        return resolve(block, t, address, width, true);
    }

    private static long resolve(Block block, int t, long address, int width, boolean writes) {
        Grid grid = block.grid;
        if ((address & (width - 1)) == 0) {
            if (Long.compareUnsigned(address - grid.memoryBase(), grid.memorySize()) < 0) {
                return address + grid.memoryDelta();
            }
            long offset = address & (Windows.SIZE - 1);
            if (Windows.contains(Windows.SHARED, address)) {
                long found = shared(block, offset, width);
                if (found != PeerWindows.NOWHERE) {
                    return found;
                }
            }
            if (Windows.contains(Windows.LOCAL, address) && offset < grid.localBytes()) {
                return block.local + (long) t * grid.localBytes() + offset;
            }
            if (Windows.contains(Windows.PARAMETER, address) && offset < grid.parameterBytes()) {
                return grid.parameters() + offset;
            }
        }
        long found = grid.windows().find(address, width, writes);
        if (found == PeerWindows.NOWHERE || (address & (width - 1)) != 0) {
            throw AccessUnsafe.fault(address, width);
        }
        return found;
    }

    /** Mostly it is the block's own; aligned, so that what starts inside ends inside. */
    private static long shared(Block block, long address, int width) {
        long offset = address - block.sharedBase;
        return Long.compareUnsigned(offset, block.grid.sharedBytes()) < 0
                ? block.shared + offset
                : Clusters.find(block, address, width);
    }

    /** Whether {@code [base, base + size)} contains the address. */
    public static boolean isInside(long address, long base, long size) {
        return Long.compareUnsigned(address - base, size) < 0;
    }

    /**
     * Reads a C string.
     *
     * @param most bytes of it: the rest of a longer one is not looked at, and there may be none
     */
    static String string(Block block, int t, long address, int most) {
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        for (int i = 0; i < most; i++) {
            int value = AccessUnsafe.getU8(resolve(block, t, address + i, 1));
            if (value == 0) {
                break;
            }
            bytes.write(value);
        }
        return bytes.toString(java.nio.charset.StandardCharsets.UTF_8);
    }
}
