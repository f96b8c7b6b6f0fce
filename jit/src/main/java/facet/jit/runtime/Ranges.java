package facet.jit.runtime;

import facet.ptx.Space;
import org.jspecify.annotations.Nullable;

/** Looks whether a thread may touch so many bytes, for instructions that move more than 32. */
public final class Ranges {
    private static final int HERE = -1;

    private Ranges() {}

    /**
     * The address in this process.
     *
     * @param space null for a generic address
     * @param bytes at least 1
     * @param alignment a power of two
     * @param writes whether they are written
     * @param line of the PTX text
     */
    public static long resolve(
            Block block,
            int t,
            @Nullable Space space,
            long address,
            long bytes,
            int alignment,
            boolean writes,
            int line) {
        if ((address & (alignment - 1)) != 0) {
            throw fault(KernelFault.Cause.MISALIGNED_ADDRESS, address, bytes, t, line);
        }
        long found = find(block, t, space, address, bytes, writes);
        if (found == PeerWindows.NOWHERE) {
            throw fault(KernelFault.Cause.ILLEGAL_ADDRESS, address, bytes, t, line);
        }
        return found;
    }

    /** The same from generated code, which knows its line and adds the thread. */
    static long resolve(
            Block block,
            int t,
            Space space,
            long address,
            long bytes,
            int alignment,
            boolean writes) {
        return resolve(block, t, space, address, bytes, alignment, writes, HERE);
    }

    private static long find(
            Block block, int t, @Nullable Space space, long address, long bytes, boolean writes) {
        Grid grid = block.grid;
        if (space != null) {
            return switch (space) {
                case SHARED, SHARED_CTA ->
                        inside(address - block.sharedBase, bytes, grid.sharedBytes())
                                ? block.sharedDelta + address
                                : PeerWindows.NOWHERE;
                case SHARED_CLUSTER -> Clusters.find(block, address, bytes);
                case GLOBAL, CONST -> global(grid, address, bytes, writes);
                case LOCAL, PARAM, PARAM_ENTRY, PARAM_FUNC, REG, SREG, TEX ->
                        throw new IllegalArgumentException("no memory of a warp: " + space);
            };
        }
        if (Windows.contains(Windows.SHARED, address)) {
            return Clusters.find(block, address - Windows.SHARED, bytes);
        }
        if (Windows.contains(Windows.LOCAL, address)) {
            long offset = address - Windows.LOCAL;
            return inside(offset, bytes, grid.localBytes())
                    ? block.local + (long) t * grid.localBytes() + offset
                    : PeerWindows.NOWHERE;
        }
        return global(grid, address, bytes, writes);
    }

    private static long global(Grid grid, long address, long bytes, boolean writes) {
        if (inside(address - grid.memoryBase(), bytes, grid.memorySize())) {
            return address + grid.memoryDelta();
        }
        return grid.windows().find(address, bytes, writes);
    }

    /** Neither sum nor difference can wrap: the size is not negative, the offset below it. */
    static boolean inside(long offset, long bytes, long size) {
        return Long.compareUnsigned(offset, size) < 0
                && Long.compareUnsigned(bytes, size - offset) <= 0;
    }

    private static KernelFault fault(
            KernelFault.Cause cause, long address, long bytes, int t, int line) {
        String message =
                Long.toUnsignedString(bytes) + " bytes at address 0x" + Long.toHexString(address);
        return line == HERE
                ? KernelFault.here(cause, message)
                : new KernelFault(cause, message, line).at(t);
    }
}
