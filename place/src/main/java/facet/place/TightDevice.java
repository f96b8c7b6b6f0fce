package facet.place;

/** How much of the device stays free. */
record TightDevice() implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, int device) {
        return device == NO_DEVICE
                ? 0
                : (double) (cluster.free(device) - request.thousandths()) / Cluster.WHOLE;
    }
}
