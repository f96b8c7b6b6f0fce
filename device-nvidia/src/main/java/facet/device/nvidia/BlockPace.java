package facet.device.nvidia;

/**
 * How long the blocks of a kernel took lately, and so how many of them make a part of a launch
 * after which others may have the device. Any thread.
 */
final class BlockPace {
    /** A part is to take about so long. */
    static final long PART_NANOS = 2_000_000;

    /** From part to part it grows by no more: blocks may differ. */
    private static final long GROWTH = 4;

    private double nanosPerBlock;
    private long lastPart;

    /**
     * Blocks of the next part.
     *
     * @param left of the launch
     * @param together how many the device has at once. No part has fewer: the device would idle,
     *     and blocks that a program knows to be there together may wait for each other
     */
    synchronized long next(long left, long together) {
        long first = Math.max(1, together);
        if (nanosPerBlock <= 0) {
            return Math.min(left, first);
        }
        long wanted = (long) Math.max(1, PART_NANOS / nanosPerBlock);
        long most = Math.max(first, lastPart * GROWTH);
        return Math.clamp(wanted, Math.min(left, first), Math.min(left, most));
    }

    synchronized void measured(long blocks, long nanos) {
        if (blocks <= 0) {
            return;
        }
        double now = (double) Math.max(1, nanos) / blocks;
        nanosPerBlock = nanosPerBlock == 0 ? now : (nanosPerBlock + now) / 2;
        lastPart = blocks;
    }

    /** What a launch of so many blocks would take; 0 when nobody knows. */
    synchronized long estimate(long blocks) {
        return (long) (nanosPerBlock * blocks);
    }
}
