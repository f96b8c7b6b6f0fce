package facet.host.session;

/**
 * Rows and slices in memory, all sizes in bytes but counts of rows and slices, none of them zero.
 */
record Rows(long width, long height, long depth, long pitch, long slice) {

    /**
     * Whether no row lies in another one. A shape that is apart is no longer than the memory it is
     * in, so working through it comes to an end.
     */
    boolean isApart() {
        if (width < 0 || height < 0 || depth < 0 || pitch < 0 || slice < 0) {
            return false;
        }
        if (height > 1 && pitch < width) {
            return false;
        }
        long rows = saturated(height - 1, pitch, width);
        return depth == 1 || slice >= rows;
    }

    /** Whether all rows follow each other without a gap. */
    boolean isDense() {
        return depth == 1 && (height == 1 || pitch == width);
    }

    /** From the first byte to behind the last one. */
    long extent() {
        return saturated(depth - 1, slice, saturated(height - 1, pitch, width));
    }

    private static long saturated(long count, long each, long rest) {
        long high = Math.multiplyHigh(count, each);
        long low = count * each;
        if (high != 0 || low < 0 || low + rest < 0) {
            return Long.MAX_VALUE;
        }
        return low + rest;
    }
}
