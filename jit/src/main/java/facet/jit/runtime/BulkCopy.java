package facet.jit.runtime;

import facet.ptx.Space;
import org.jspecify.annotations.Nullable;

/**
 * {@code cp.async.bulk}: copies at once, which PTX allows. One side is always shared memory, so
 * that a copy is bounded by its size.
 */
public final class BulkCopy {
    private static final int UNIT = 16;

    private BulkCopy() {}

    /**
     * @param to device address in its space
     * @param reduction what happens to what is there; null: it is replaced
     */
    public static void copy(
            Block block,
            int t,
            Space toSpace,
            long to,
            Space fromSpace,
            long from,
            int size,
            @Nullable BulkReduction reduction) {
        if ((size & (UNIT - 1)) != 0) {
            throw KernelFault.here(
                    KernelFault.Cause.MISALIGNED_ADDRESS,
                    "a bulk copy of "
                            + Integer.toUnsignedString(size)
                            + " bytes; the size must be a multiple of 16");
        }
        if (size == 0) {
            return;
        }
        long bytes = Integer.toUnsignedLong(size);
        long source = Ranges.resolve(block, t, fromSpace, from, bytes, UNIT, false);
        long target = Ranges.resolve(block, t, toSpace, to, bytes, UNIT, true);
        if (reduction == null) {
            AccessUnsafe.copy(source, target, bytes);
        } else {
            // Bounded: what is inside of shared memory is far below 2^31.
            reduction.apply(source, target, size);
        }
    }

    /** The same, and the mbarrier learns of the bytes. */
    public static void copyAndTell(
            Block block,
            int t,
            Space toSpace,
            long to,
            Space fromSpace,
            long from,
            int size,
            @Nullable BulkReduction reduction,
            long mbarrier) {
        // It is where the bytes go, or of this block.
        Space space = toSpace.isShared() ? toSpace : Space.SHARED;
        long raw = Ranges.resolve(block, t, space, mbarrier, 8, 8, true);
        copy(block, t, toSpace, to, fromSpace, from, size, reduction);
        MbarrierUnsafe.completeTx(raw, size);
    }

    /**
     * To the blocks of the cluster that the mask names: data and mbarrier have the same place in
     * each of them.
     *
     * @param mask a bit for each rank; those that nobody has do nothing
     */
    public static void multicast(
            Block block,
            int t,
            Space toSpace,
            long to,
            Space fromSpace,
            long from,
            int size,
            @Nullable BulkReduction reduction,
            long mbarrier,
            int mask) {
        for (int rank = 0; rank < block.members.length; rank++) {
            if ((mask >>> rank & 1) != 0) {
                long into = Clusters.map(to, rank);
                long told = Clusters.map(mbarrier, rank);
                copyAndTell(block, t, toSpace, into, fromSpace, from, size, reduction, told);
                block.spendDeep(size >>> 6);
            }
        }
    }
}
