package facet.place;

/**
 * How many more of the node's free devices would lack processors, if requests came with as many for
 * each device as they do on average. So requests that want many processors go where there are many.
 */
record CpuBalance(Mix mix) implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, long devices) {
        double each = mix.table(cluster.model(node)).cpuPerDevice();
        if (each == 0) {
            return 0;
        }
        double free = (double) cluster.freeOnNode(node) / Cluster.WHOLE;
        double freeAfter = (double) (cluster.freeOnNode(node) - request.demand()) / Cluster.WHOLE;
        return Math.max(0, freeAfter - (cluster.cpu(node) - request.cpu()) / each)
                - Math.max(0, free - cluster.cpu(node) / each);
    }
}
