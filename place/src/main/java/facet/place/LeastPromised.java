package facet.place;

/**
 * How much of the fullest device is promised afterwards, of its memory or of its compute, whichever
 * is more. So slices spread, and large ones come to large devices.
 */
record LeastPromised() implements Score {
    @Override
    public double cost(Cluster cluster, int node, Request request, long devices) {
        double most = 0;
        for (long rest = devices; rest != 0; rest &= rest - 1) {
            int device = cluster.device(node, rest);
            int free = cluster.free(device) - request.thousandths();
            most = Math.max(most, 1 - (double) free / Cluster.WHOLE);
            most = Math.max(most, memory(cluster, node, request, device));
        }
        return most;
    }

    private static double memory(Cluster cluster, int node, Request request, int device) {
        int size = cluster.deviceMemory(node);
        long free = cluster.unpromisedMemory(device) - cluster.neededMemory(node, request.share());
        return size == 0 ? 0 : 1 - (double) free / size;
    }

    @Override
    public boolean seesMemory() {
        return true;
    }
}
