package facet.place.tide;

/** What is done so that nodes change hands. */
public sealed interface Step {
    int node();

    /**
     * It takes nothing new from now on.
     *
     * @param pool to which it will belong
     */
    record Drain(int node, String pool) implements Step {}

    /** It need not change hands after all, and takes what comes. */
    record Stay(int node) implements Step {}

    /** It belongs to that pool, and takes what comes. */
    record Change(int node, String pool) implements Step {}

    /**
     * Somebody has to leave who was given time and does not end by itself.
     *
     * @param deadline when it is ended at the latest
     */
    record Evict(int node, int ticket, long deadline) implements Step {}
}
