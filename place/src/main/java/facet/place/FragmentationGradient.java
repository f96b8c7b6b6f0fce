package facet.place;

/**
 * How many more devices the mix can no longer use: the node's fragmentation afterwards, less what
 * it is now. {@link MixTable} says what fragmentation is.
 */
record FragmentationGradient(Mix mix) implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, long devices) {
        MixTable table = mix.table(cluster.model(node));
        int before = table.cpuRank(cluster.cpu(node));
        int after = table.cpuRank(cluster.cpu(node) - request.cpu());
        int whole = cluster.wholeOnNode(node);
        int wholeAfter = whole;
        double lost = table.usableByMany(before, whole);
        long bit = 1;
        for (int each = cluster.first(node); each < cluster.end(node); each++, bit <<= 1) {
            int free = cluster.free(each);
            int freeAfter = free;
            if ((devices & bit) != 0) {
                freeAfter -= request.thousandths();
                wholeAfter -= free == Cluster.WHOLE && freeAfter < free ? 1 : 0;
            }
            lost += table.usable(before, free) - table.usable(after, freeAfter);
        }
        lost -= table.usableByMany(after, wholeAfter);
        if (table.hasParts()) {
            lost += table.usableByParts(cluster, node, before, 0, 0);
            lost -= table.usableByParts(cluster, node, after, devices, request.thousandths());
        }
        return (lost - request.demand()) / Cluster.WHOLE;
    }

    /** As the authors squeeze it between 0 and 100. */
    @Override
    public double points(double cost) {
        return Math.floor(100 / (1 + Math.exp(cost)));
    }
}
