package facet.place;

/** Whether a node can take a request, and what it lacks first if not. */
enum Fit {
    FITS,
    CLOSED,
    POOL,
    LABELS,
    MODEL,
    /** Fewer devices than asked for, used or not. */
    DEVICES,
    CPU,
    MEMORY,
    /** The devices are there, but too much of them is taken. */
    COMPUTE,
    /** There is compute, but not enough of the rest on the same devices. */
    DEVICE_MEMORY,
    CODEC,
    RENDER;

    static Fit of(Cluster cluster, int node, Request request) {
        Where where = request.where();
        if (cluster.isClosed(node)) {
            return CLOSED;
        }
        if ((where.pools() >>> cluster.pool(node) & 1) == 0) {
            return POOL;
        }
        if ((where.labels() & ~cluster.labels(node)) != 0) {
            return LABELS;
        }
        if (request.devices() > 0) {
            if (!request.accepts(cluster.model(node))) {
                return MODEL;
            }
            if (request.devices() > cluster.end(node) - cluster.first(node)) {
                return DEVICES;
            }
        }
        if (request.cpu() > cluster.cpu(node)) {
            return CPU;
        }
        if (request.memory() > cluster.memory(node)) {
            return MEMORY;
        }
        if (!hasCompute(cluster, node, request)) {
            return COMPUTE;
        }
        return request.share().isMoreThanCompute() ? rest(cluster, node, request) : FITS;
    }

    private static boolean hasCompute(Cluster cluster, int node, Request request) {
        if (!request.isPart()) {
            return request.devices() <= cluster.wholeOnNode(node);
        }
        return request.devices() == 1
                ? request.thousandths() <= largest(cluster, node)
                : has(cluster, node, request, Share.compute(request.thousandths()));
    }

    /** What else is wanted of the devices that have the compute: one after the other. */
    private static Fit rest(Cluster cluster, int node, Request request) {
        Share all = request.share();
        Share memory = new Share(all.thousandths(), all.memory(), 0, 0);
        if (!has(cluster, node, request, memory)) {
            return DEVICE_MEMORY;
        }
        Share codec = new Share(all.thousandths(), all.memory(), all.codec(), 0);
        if (!has(cluster, node, request, codec)) {
            return CODEC;
        }
        return has(cluster, node, request, all) ? FITS : RENDER;
    }

    private static boolean has(Cluster cluster, int node, Request request, Share share) {
        int count = 0;
        for (int device = cluster.first(node); device < cluster.end(node); device++) {
            count += cluster.has(node, device, share) ? 1 : 0;
        }
        return count >= request.devices();
    }

    /** Thousandths that are free on the node's freest device. */
    static int largest(Cluster cluster, int node) {
        int largest = 0;
        for (int device = cluster.first(node); device < cluster.end(node); device++) {
            largest = Math.max(largest, cluster.free(device));
        }
        return largest;
    }
}
