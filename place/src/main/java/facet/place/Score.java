package facet.place;

/**
 * What a place costs, seen from one side. It depends on the node, the request and the mix alone, so
 * that it is kept until one of them changes.
 */
public interface Score {
    /** The device of requests that are not for a part of one. */
    int NO_DEVICE = -1;

    /**
     * What it costs to put a request there, where it fits; less is better.
     *
     * @param device the number of the device of which it gets a part, or {@link #NO_DEVICE}
     */
    double cost(Cluster cluster, int node, Request request, int device);

    /** The cost in the points that schedulers of Kubernetes give: 0 to 100, more is better. */
    default double points(double cost) {
        return Math.floor(100 * (1 - cost));
    }
}
