package facet.place;

/** How many islands of devices are needed beyond the fewest on which so many devices can be. */
record Topology() implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, long devices) {
        int island = cluster.island(node);
        if (island == 0 || request.devices() < 2) {
            return 0;
        }
        int fewest = (request.devices() + island - 1) / island;
        return (double) (islands(devices, island) - fewest) / request.devices();
    }

    /** On how many islands of that size the devices are. */
    static int islands(long devices, int island) {
        int count = 0;
        for (long rest = devices; rest != 0; count++) {
            int number = Long.numberOfTrailingZeros(rest) / island;
            rest &= ~Islands.mask(number, island);
        }
        return count;
    }
}
