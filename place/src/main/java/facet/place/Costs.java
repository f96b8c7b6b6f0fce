package facet.place;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The scores of a policy, weighed and added. */
final class Costs {
    private final Cluster cluster;
    private final Score[] scores;
    private final double[] weights;
    private final boolean[] points;
    private final String[] names;

    /** Whether devices of a node that have the same compute free are the same to all scores. */
    private final boolean alike;

    Costs(Cluster cluster, List<Policy.Weighted> weighted, Mix mix) {
        this.cluster = cluster;
        scores = new Score[weighted.size()];
        weights = new double[scores.length];
        points = new boolean[scores.length];
        names = new String[scores.length];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = weighted.get(i).score().score(mix);
            weights[i] = weighted.get(i).weight();
            points[i] = weighted.get(i).points();
            names[i] = weighted.get(i).score().word();
        }
        alike = Arrays.stream(scores).noneMatch(Score::seesMemory);
    }

    /** Of the best place on a node; infinite when the request does not fit there. */
    double ofNode(int node, Request request) {
        if (Fit.of(cluster, node, request) != Fit.FITS) {
            return Double.POSITIVE_INFINITY;
        }
        if (request.devices() != 1 || !request.isPart()) {
            return of(node, request, several(node, request));
        }
        boolean more = !alike || request.share().isMoreThanCompute();
        double least = Double.POSITIVE_INFINITY;
        int before = -1;
        for (int device = cluster.first(node); device < cluster.end(node); device++) {
            int free = cluster.free(device);
            if (free >= request.thousandths()
                    && (more ? cluster.has(node, device, request.share()) : free != before)) {
                least = Math.min(least, of(node, request, 1L << device - cluster.first(node)));
                before = free;
            }
        }
        return least;
    }

    /** The bits of the best devices for a request that is not for a part of one; it fits. */
    long several(int node, Request request) {
        int first = cluster.first(node);
        int island = cluster.island(node);
        long possible = 0;
        int found = 0;
        boolean any = !request.isPart() && island == 0 && alike;
        for (int device = first; device < cluster.end(node); device++) {
            if (cluster.has(node, device, request.share())) {
                // Free devices without islands are all the same: the first ones.
                if (any && found++ == request.devices()) {
                    break;
                }
                possible |= 1L << device - first;
            }
        }
        return any
                ? possible
                : Islands.choose(
                        request.devices(), possible, island, each(node, request, possible));
    }

    /** What each device by itself costs. */
    private double[] each(int node, Request request, long possible) {
        double[] costs = new double[Cluster.MOST_DEVICES];
        boolean differ = request.isPart() || !alike;
        for (long rest = possible; differ && rest != 0; rest &= rest - 1) {
            costs[Long.numberOfTrailingZeros(rest)] = of(node, request, Long.lowestOneBit(rest));
        }
        return costs;
    }

    /** What each score adds, in the order of the policy. */
    Map<String, Double> parts(int node, Request request, long devices) {
        Map<String, Double> parts = new LinkedHashMap<>();
        if (request.share().isBeside()) {
            parts.put(
                    request.share().part() == null ? "burst" : "hardware part",
                    beside(node, request, devices));
            return parts;
        }
        for (int i = 0; i < scores.length; i++) {
            parts.merge(names[i], part(i, node, request, devices), Double::sum);
        }
        return parts;
    }

    double of(int node, Request request, long devices) {
        if (request.share().isBeside()) {
            return beside(node, request, devices);
        }
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += part(i, node, request, devices);
        }
        return sum;
    }

    /** What takes nothing of what others share is seen by no score. */
    private double beside(int node, Request request, long devices) {
        int device = cluster.device(node, devices);
        Part part = request.share().part();
        if (part == null) {
            // Where least is promised, so that as few as possible want the device at once.
            return -(double) cluster.burstRoom(node, device) / Cluster.WHOLE;
        }
        // Devices that are divided first, the fullest of them; others can be shared.
        int taken = Integer.bitCount(cluster.slices(device));
        return taken == 0 ? 1 : (double) -taken / part.of();
    }

    private double part(int i, int node, Request request, long devices) {
        double cost = scores[i].cost(cluster, node, request, devices);
        return weights[i] * (points[i] ? -scores[i].points(cost) / 100 : cost);
    }
}
