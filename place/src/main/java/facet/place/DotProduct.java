package facet.place;

/**
 * What is free, times what is asked for, added over devices and processors, as parts of the largest
 * node's (after Grandl et al., Multi-resource packing for cluster schedulers, SIGCOMM 2014; with
 * the sign that the authors of FGD gave it: little is good).
 */
record DotProduct() implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, long devices) {
        double mostCpu = cluster.mostCpu();
        double mostCompute = (double) cluster.mostDevices() * Cluster.WHOLE;
        double cpu = cluster.cpu(node) / mostCpu * (request.cpu() / mostCpu);
        double compute = cluster.freeOnNode(node) / mostCompute * (request.demand() / mostCompute);
        return (cpu + compute) / 2;
    }
}
