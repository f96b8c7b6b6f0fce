package facet.place;

/** How much of devices and processors stays free on the node, as parts of the largest node's. */
record BestFit() implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, long devices) {
        double cpu = (double) (cluster.cpu(node) - request.cpu()) / cluster.mostCpu();
        double compute =
                (double) (cluster.freeOnNode(node) - request.demand())
                        / (cluster.mostDevices() * Cluster.WHOLE);
        return (cpu + compute) / 2;
    }
}
