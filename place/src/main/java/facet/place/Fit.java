package facet.place;

/** Whether a node can take a request, and what it lacks first if not. */
public enum Fit {
    FITS,
    CLOSED,
    POOL,
    LABELS,
    MODEL,
    /** Fewer devices than asked for, used or not. */
    DEVICES,
    CPU,
    MEMORY,
    /** The devices are there, but have too little memory free. */
    DEVICE_MEMORY,
    /** There is memory, but too much of the compute is taken. */
    COMPUTE,
    /** There is compute, but not enough of the rest on the same devices. */
    CODEC,
    RENDER,
    /** As much was promised beyond what the devices have as may be. */
    BURST,
    /** No device is divided so, or can be, with room for the part. */
    PART;

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
        if (!hasMemory(cluster, node, request)) {
            return DEVICE_MEMORY;
        }
        if (!hasCompute(cluster, node, request)) {
            return COMPUTE;
        }
        return request.share().isMoreThanCompute() ? rest(cluster, node, request) : FITS;
    }

    private static boolean hasMemory(Cluster cluster, int node, Request request) {
        int needed = cluster.neededMemory(node, request.share());
        if (needed == 0) {
            return true;
        }
        int count = 0;
        for (int device = cluster.first(node); device < cluster.end(node); device++) {
            count += needed <= cluster.freeMemory(device) ? 1 : 0;
        }
        return count >= request.devices();
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
            // Each is there, but not on the same devices.
            return COMPUTE;
        }
        Share codec = new Share(all.thousandths(), all.memory(), all.codec(), 0);
        if (!has(cluster, node, request, codec)) {
            return CODEC;
        }
        Share render = new Share(all.thousandths(), all.memory(), all.codec(), all.render());
        if (!has(cluster, node, request, render)) {
            return RENDER;
        }
        return has(cluster, node, request, all) ? FITS : beside(all);
    }

    private static Fit beside(Share share) {
        return share.part() == null ? BURST : PART;
    }

    /** The same for one device alone. */
    static Fit ofDevice(Cluster cluster, int node, int device, Share share) {
        if (cluster.neededMemory(node, share) > cluster.freeMemory(device)) {
            return DEVICE_MEMORY;
        }
        if (share.thousandths() > cluster.free(device)) {
            return COMPUTE;
        }
        if (share.codec() > cluster.freeCodec(device)) {
            return CODEC;
        }
        if (share.render() > cluster.freeRender(device)) {
            return RENDER;
        }
        return cluster.has(node, device, share) ? FITS : beside(share);
    }

    /** Whether some devices of a node may have it while others have not. */
    boolean isOfDevices() {
        return switch (this) {
            case COMPUTE, DEVICE_MEMORY, CODEC, RENDER, BURST, PART -> true;
            case FITS, CLOSED, POOL, LABELS, MODEL, DEVICES, CPU, MEMORY -> false;
        };
    }

    /** How much a device has of what it lacks. */
    int onDevice(Cluster cluster, int node, int device) {
        return switch (this) {
            case BURST -> Math.max(0, cluster.burstRoom(node, device));
            case PART -> 0;
            case DEVICE_MEMORY -> cluster.freeMemory(device);
            case CODEC -> cluster.freeCodec(device);
            case RENDER -> cluster.freeRender(device);
            case FITS, CLOSED, POOL, LABELS, MODEL, DEVICES, CPU, MEMORY, COMPUTE ->
                    cluster.free(device);
        };
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

    /** The same of the devices that have the memory for a request. */
    private static int largestBesideMemory(Cluster cluster, int node, Request request) {
        int needed = cluster.neededMemory(node, request.share());
        int largest = 0;
        for (int device = cluster.first(node); device < cluster.end(node); device++) {
            if (needed <= cluster.freeMemory(device)) {
                largest = Math.max(largest, cluster.free(device));
            }
        }
        return largest;
    }

    /** How much there is of what the node lacks; 0 where that is no amount. */
    int there(Cluster cluster, int node, Request request) {
        return switch (this) {
            case FITS, CLOSED, POOL, LABELS, MODEL -> 0;
            case DEVICES -> cluster.end(node) - cluster.first(node);
            case CPU -> cluster.cpu(node);
            case MEMORY -> cluster.memory(node);
            case COMPUTE ->
                    request.isPart()
                            ? largestBesideMemory(cluster, node, request)
                            : cluster.wholeOnNode(node);
            case DEVICE_MEMORY, CODEC, RENDER, BURST, PART -> {
                int most = 0;
                for (int device = cluster.first(node); device < cluster.end(node); device++) {
                    most = Math.max(most, onDevice(cluster, node, device));
                }
                yield most;
            }
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
            case CLOSED -> where(request, one) + "closed";
            case POOL -> where(request, one) + "of another pool";
            case LABELS -> where(request, one) + "without the labels that it wants";
            case DEVICE_MEMORY ->
                    has
                            + (request.share().memory() == Share.ALL_MEMORY
                                    ? "not all of its device memory free: "
                                    : "less than "
                                            + size(request.share().memory())
                                            + " of device memory free: ")
                            + "the most is "
                            + size(most);
            case CODEC -> has + beside("codecs", request.share().codec(), most);
            case BURST ->
                    has
                            + "no %d/1000 to promise beyond what there is: the most is %d"
                                    .formatted(request.share().burst(), most);
            case PART ->
                    has
                            + "no room for the hardware part "
                            + (request.share().part() == null
                                    ? ""
                                    : request.share().part().profile())
                            + ": divided otherwise, too full, or in use by others";
            case RENDER -> has + beside("rendering", request.share().render(), most);
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
                            + size(request.memory())
                            + " of memory free: the most is "
                            + size(most);
            case COMPUTE ->
                    has
                            + hasElse(request)
                            + (request.isPart()
                                    ? "no "
                                            + request.thousandths()
                                            + "/1000 of compute: the largest rest is "
                                            + most
                                    : request.devices() == 1
                                            ? "no device of which all is free"
                                            : "fewer than "
                                                    + request.devices()
                                                    + " free devices: the most is "
                                                    + most);
        };
    }

    /** What was asked for beside compute, and is there. */
    private static String hasElse(Request request) {
        boolean memory = request.memory() > 0 || request.share().memory() != 0;
        if (request.cpu() > 0) {
            return (memory ? "processors and memory" : "processors") + " for it, but ";
        }
        return memory ? "the memory, but " : "";
    }

    /** Of memory that is in MiB. */
    private static String size(int mebibytes) {
        return mebibytes >= 1024 && mebibytes % 1024 == 0
                ? mebibytes / 1024 + " GiB"
                : mebibytes + " MiB";
    }

    private static String where(Request request, boolean one) {
        return (one ? "is " : "are ") + (request.isPart() ? one ? "on a node " : "on nodes " : "");
    }

    private static String beside(String what, int wanted, int most) {
        return "compute and memory for it, but no %d/1000 of a device's %s: the largest rest is %d"
                .formatted(wanted, what, most);
    }
}
