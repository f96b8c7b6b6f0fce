package facet.place;

/** Whether a node can take a request, and what it lacks first if not. */
public enum Fit {
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

    /** How much there is of what the node lacks; 0 where that is no amount. */
    int there(Cluster cluster, int node, Request request) {
        return switch (this) {
            case FITS, MODEL -> 0;
            case DEVICES -> cluster.end(node) - cluster.first(node);
            case CPU -> cluster.cpu(node);
            case MEMORY -> cluster.memory(node);
            case COMPUTE -> request.isPart() ? largest(cluster, node) : cluster.wholeOnNode(node);
        };
    }

    /**
     * What somebody lacks, behind 'device' or 'node'.
     *
     * @param one whether it is about one alone
     * @param most of it that there is anywhere
     */
    String words(Request request, boolean one, int most) {
        String has = one ? "has " : "have ";
        String where = request.isPart() ? (one ? "is on a node" : "are on nodes") + " with " : has;
        return switch (this) {
            case FITS -> has + "room for it";
            case MODEL -> (one ? "is" : "are") + " of models that it does not want";
            case DEVICES -> where + "fewer than " + request.devices() + " devices";
            case CPU ->
                    where
                            + "less than "
                            + request.cpu() / 1000.0
                            + " processors free: the most is "
                            + most / 1000.0;
            case MEMORY ->
                    where
                            + "less than "
                            + request.memory()
                            + " MiB of memory free: the most is "
                            + most;
            case COMPUTE ->
                    has
                            + "processors and memory for it, but "
                            + (request.isPart()
                                    ? "no "
                                            + request.thousandths()
                                            + "/1000 of compute: the largest rest is "
                                            + most
                                    : "not "
                                            + request.devices()
                                            + " free devices: the most is "
                                            + most);
        };
    }
}
