package facet.place;

/** How full node and device are afterwards: the emptiest is best. */
record Spreading() implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, long devices) {
        int capacity = (cluster.end(node) - cluster.first(node)) * Cluster.WHOLE;
        double ofNode =
                capacity == 0
                        ? 0
                        : 1 - (double) (cluster.freeOnNode(node) - request.demand()) / capacity;
        double ofDevices = 0;
        if (request.isPart()) {
            int free = 0;
            for (long rest = devices; rest != 0; rest &= rest - 1) {
                free += cluster.free(cluster.device(node, rest)) - request.thousandths();
            }
            ofDevices = 1 - (double) free / Cluster.WHOLE / Long.bitCount(devices);
        }
        return (ofNode + ofDevices) / 2;
    }
}
