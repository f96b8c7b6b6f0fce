package facet.jit.runtime;

/**
 * How many blocks a cluster has in x, y and z. A grid has a whole number of clusters.
 *
 * @param explicit whether launch or kernel say so, rather than nobody
 */
public record ClusterShape(int x, int y, int z, boolean explicit) {
    /** As many as any device takes; programs that want to run on all ask for no more than 8. */
    public static final int MOST = 16;

    /** Each block is alone. */
    public static final ClusterShape NONE = new ClusterShape(1, 1, 1, false);

    public ClusterShape {
        // Each by itself first: three ints multiplied are more than a long holds.
        if (!isExtent(x) || !isExtent(y) || !isExtent(z) || x * y * z > MOST) {
            throw new IllegalArgumentException("a cluster of " + x + "," + y + "," + z);
        }
    }

    private static boolean isExtent(int blocks) {
        return blocks >= 1 && blocks <= MOST;
    }

    /** Blocks in all. */
    public int blocks() {
        return x * y * z; // bounded by MOST
    }
}
