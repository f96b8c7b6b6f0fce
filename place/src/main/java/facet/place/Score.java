package facet.place;

/**
 * What a place costs, seen from one side. It depends on the node, the request and the mix alone, so
 * that it is kept until one of them changes.
 */
public interface Score {
    /**
     * What it costs to put a request there, where it fits; less is better.
     *
     * @param devices the bits of those of the node that it gets, or one of them, to compare it with
     *     the others
     */
    double cost(Cluster cluster, int node, Request request, long devices);

    /** Whether devices of a node may differ to it that have the same compute free. */
    default boolean seesMemory() {
        return false;
    }

    /** The cost in the points that schedulers of Kubernetes give: 0 to 100, more is better. */
    default double points(double cost) {
        return Math.floor(100 * (1 - cost));
    }
}
