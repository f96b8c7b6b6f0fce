package facet.place;

/**
 * Devices that others use already come first, then free devices of nodes in use, then free nodes.
 * The steps between are those of the authors of FGD.
 */
record Packing() implements Score {
    private static final int FREE_NODE = 33;
    private static final int FREE_DEVICE = 50;
    private static final int USED_DEVICE = 100;

    @Override
    public double cost(Cluster cluster, int node, Request request, long devices) {
        return 1 - value(cluster, node, request, devices) / 100.0;
    }

    @Override
    public double points(double cost) {
        return Math.rint(100 * (1 - cost));
    }

    private static int value(Cluster cluster, int node, Request request, long devices) {
        if (request.devices() == 0) {
            return 0;
        }
        int whole = cluster.wholeOnNode(node);
        if (whole == cluster.end(node) - cluster.first(node)) {
            return Math.max(FREE_NODE - whole, whole);
        }
        int device = cluster.device(node, devices);
        if (!request.isPart() || cluster.free(device) == Cluster.WHOLE) {
            return Math.max(FREE_DEVICE - request.devices(), FREE_NODE);
        }
        int percent = cluster.free(device) * 100 / Cluster.WHOLE;
        return Math.max(USED_DEVICE - percent / 10, FREE_DEVICE);
    }
}
