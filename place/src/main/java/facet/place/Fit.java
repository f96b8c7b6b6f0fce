package facet.place;

/** Whether a node can take a request, and what it lacks first if not. */
enum Fit {
    FITS,
    MODEL,
    /** Fewer devices than asked for, used or not. */
    DEVICES,
    CPU,
    MEMORY,
    /** The devices are there, but too much of them is taken. */
    COMPUTE;

    static Fit of(Cluster cluster, int node, Request request) {
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
        return hasCompute(cluster, node, request) ? FITS : COMPUTE;
    }

    private static boolean hasCompute(Cluster cluster, int node, Request request) {
        if (!request.isPart()) {
            return request.devices() <= cluster.wholeOnNode(node);
        }
        return request.thousandths() <= largest(cluster, node);
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
