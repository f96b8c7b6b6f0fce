package facet.place;

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
    }

    /** Of the best place on a node; infinite when the request does not fit there. */
    double ofNode(int node, Request request) {
        if (Fit.of(cluster, node, request) != Fit.FITS) {
            return Double.POSITIVE_INFINITY;
        }
        if (!request.isPart()) {
            return of(node, request, Score.NO_DEVICE);
        }
        double least = Double.POSITIVE_INFINITY;
        int before = -1;
        for (int device = cluster.first(node); device < cluster.end(node); device++) {
            int free = cluster.free(device);
            // Devices of a node that have the same free are the same to all scores.
            if (free >= request.thousandths() && free != before) {
                least = Math.min(least, of(node, request, device));
                before = free;
            }
        }
        return least;
    }

    /** What each score adds, in the order of the policy. */
    Map<String, Double> parts(int node, Request request, int device) {
        Map<String, Double> parts = new LinkedHashMap<>();
        for (int i = 0; i < scores.length; i++) {
            parts.merge(names[i], part(i, node, request, device), Double::sum);
        }
        return parts;
    }

    double of(int node, Request request, int device) {
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += part(i, node, request, device);
        }
        return sum;
    }

    private double part(int i, int node, Request request, int device) {
        double cost = scores[i].cost(cluster, node, request, device);
        return weights[i] * (points[i] ? -scores[i].points(cost) / 100 : cost);
    }
}
