package facet.place;

/** How full node and device are afterwards: the emptiest is best. */
record Spreading() implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, int device) {
        int capacity = (cluster.end(node) - cluster.first(node)) * Cluster.WHOLE;
        double ofNode =
                capacity == 0
                        ? 0
                        : 1 - (double) (cluster.freeOnNode(node) - request.demand()) / capacity;
        double ofDevice =
                device == NO_DEVICE
                        ? 0
                        : 1
                                - (double) (cluster.free(device) - request.thousandths())
                                        / Cluster.WHOLE;
        return (ofNode + ofDevice) / 2;
    }
}
