package facet.place;

/** How many others are on the node. With a small weight it decides between equals. */
record Fewest() implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, long devices) {
        return cluster.placements(node);
    }
}
