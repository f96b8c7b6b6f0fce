package facet.host.residency;

/**
 * What a command touches of its context's memory: nothing, two ranges, or what nobody knows.
 *
 * @param everything what a kernel touches is not known before it runs
 * @param first offset of a range
 */
public record Reach(
        boolean everything, long first, long firstBytes, long second, long secondBytes) {
    public static final Reach NOTHING = new Reach(false, 0, 0, 0, 0);
    public static final Reach EVERYTHING = new Reach(true, 0, 0, 0, 0);

    public static Reach of(long offset, long bytes) {
        return new Reach(false, offset, bytes, 0, 0);
    }

    public static Reach of(long first, long firstBytes, long second, long secondBytes) {
        return new Reach(false, first, firstBytes, second, secondBytes);
    }
}
