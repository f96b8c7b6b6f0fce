package facet.place;

/** How much of the device stays free. */
record TightDevice() implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, long devices) {
        if (!request.isPart()) {
            return 0;
        }
        int free = 0;
        for (long rest = devices; rest != 0; rest &= rest - 1) {
            free += cluster.free(cluster.device(node, rest)) - request.thousandths();
        }
        return (double) free / Cluster.WHOLE / Long.bitCount(devices);
    }
}
