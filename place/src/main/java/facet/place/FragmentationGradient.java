package facet.place;

/**
 * How many more devices the mix can no longer use: the node's fragmentation afterwards, less what
 * it is now. {@link MixTable} says what fragmentation is.
 */
record FragmentationGradient(Mix mix) implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, int device) {
        MixTable table = mix.table(cluster.model(node));
        int before = table.cpuRank(cluster.cpu(node));
        int after = table.cpuRank(cluster.cpu(node) - request.cpu());
        int whole = cluster.wholeOnNode(node);
        int wholeAfter = whole;
        double lost = table.usableByMany(before, whole);
        for (int each = cluster.first(node); each < cluster.end(node); each++) {
            int free = cluster.free(each);
            int freeAfter = free;
            if (each == device) {
                freeAfter -= request.thousandths();
                wholeAfter -= free == Cluster.WHOLE ? 1 : 0;
            }
            lost += table.usable(before, free) - table.usable(after, freeAfter);
        }
        if (device == NO_DEVICE) {
            wholeAfter -= request.devices();
            lost += request.devices() * table.usable(after, Cluster.WHOLE);
        }
        lost -= table.usableByMany(after, wholeAfter);
        return (lost - request.demand()) / Cluster.WHOLE;
    }

    /** As the authors squeeze it between 0 and 100. */
    @Override
    public double points(double cost) {
        return Math.floor(100 / (1 + Math.exp(cost)));
    }
}
