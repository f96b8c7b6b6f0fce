package facet.place;

import java.util.EnumMap;
import java.util.Map;

/**
 * Where a request fits and where not. Every node is counted once, under what it lacks first.
 *
 * @param fits nodes
 * @param lacks nodes by what they lack
 * @param nearest the most thousandths that are free on a device of a node which lacks compute
 * @param nearestWhole the most free devices on such a node
 */
public record Explanation(
        Request request, int fits, Map<Lack, Integer> lacks, int nearest, int nearestWhole) {
    /** What a node lacks. */
    public enum Lack {
        OPEN,
        POOL,
        LABELS,
        MODEL,
        DEVICES,
        CPU,
        MEMORY,
        COMPUTE,
        DEVICE_MEMORY,
        CODEC,
        RENDER
    }

    public Explanation {
        lacks = Map.copyOf(lacks);
    }

    static Explanation of(Cluster cluster, Request request) {
        Map<Lack, Integer> lacks = new EnumMap<>(Lack.class);
        int fits = 0;
        int nearest = 0;
        int nearestWhole = 0;
        for (int node = 0; node < cluster.nodes(); node++) {
            switch (Fit.of(cluster, node, request)) {
                case FITS -> fits++;
                case CLOSED -> lacks.merge(Lack.OPEN, 1, Integer::sum);
                case POOL -> lacks.merge(Lack.POOL, 1, Integer::sum);
                case LABELS -> lacks.merge(Lack.LABELS, 1, Integer::sum);
                case MODEL -> lacks.merge(Lack.MODEL, 1, Integer::sum);
                case DEVICES -> lacks.merge(Lack.DEVICES, 1, Integer::sum);
                case CPU -> lacks.merge(Lack.CPU, 1, Integer::sum);
                case MEMORY -> lacks.merge(Lack.MEMORY, 1, Integer::sum);
                case DEVICE_MEMORY -> lacks.merge(Lack.DEVICE_MEMORY, 1, Integer::sum);
                case CODEC -> lacks.merge(Lack.CODEC, 1, Integer::sum);
                case RENDER -> lacks.merge(Lack.RENDER, 1, Integer::sum);
                case COMPUTE -> {
                    lacks.merge(Lack.COMPUTE, 1, Integer::sum);
                    nearest = Math.max(nearest, Fit.largest(cluster, node));
                    nearestWhole = Math.max(nearestWhole, cluster.wholeOnNode(node));
                }
            }
        }
        return new Explanation(request, fits, lacks, nearest, nearestWhole);
    }

    /** In words, a line for each kind of node. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(fits == 0 ? "it fits on no node\n" : "it fits on " + nodes(fits) + "\n");
        for (Lack each : Lack.values()) {
            Integer count = lacks.get(each);
            if (count != null) {
                text.append(nodes(count)).append(' ').append(words(each)).append('\n');
            }
        }
        return text.toString();
    }

    private String words(Lack lack) {
        return switch (lack) {
            case OPEN -> "that take nothing new";
            case POOL -> "of other pools";
            case LABELS -> "without the labels that it wants";
            case DEVICE_MEMORY ->
                    "with compute for it, but not "
                            + (request.share().memory() == Share.ALL_MEMORY
                                    ? "all the memory of a device"
                                    : request.share().memory() + " MiB of a device's memory")
                            + " beside it";
            case CODEC ->
                    "without " + request.share().codec() + "/1000 of a device's codecs beside it";
            case RENDER ->
                    "without "
                            + request.share().render()
                            + "/1000 of a device's rendering beside it";
            case MODEL -> "of models that it does not want";
            case DEVICES -> "with fewer than " + request.devices() + " devices";
            case CPU -> "with less than " + request.cpu() / 1000.0 + " processors free";
            case MEMORY -> "with less than " + request.memory() + " MiB of memory free";
            case COMPUTE ->
                    request.isPart()
                            ? "with processors and memory for it, but no "
                                    + request.thousandths()
                                    + "/1000 of a device: the largest rest is "
                                    + nearest
                            : "with processors and memory for it, but not "
                                    + request.devices()
                                    + " free devices: the most is "
                                    + nearestWhole;
        };
    }

    private static String nodes(int count) {
        return count == 1 ? "1 node" : count + " nodes";
    }
}
