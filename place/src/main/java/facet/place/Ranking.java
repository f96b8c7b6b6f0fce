package facet.place;

import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What a request costs on every node. Kept from one request to the next of the same kind: only
 * nodes that changed meanwhile are looked at again.
 */
final class Ranking {
    private final double[] cost;
    private long seen;
    private int edition = -1;

    Ranking(int nodes) {
        cost = new double[nodes];
    }

    /** Brings it up to date. */
    void refresh(Cluster cluster, Costs costs, Request request, int newest) {
        boolean isNew = edition < 0 || !cluster.remembers(seen);
        for (int node = 0; node < cost.length && (isNew || edition != newest); node++) {
            // Where it did not fit it does not fit with another mix either.
            if (isNew || cost[node] < Double.POSITIVE_INFINITY) {
                cost[node] = costs.ofNode(node, request);
            }
        }
        for (long each = seen; each < cluster.changes() && !isNew; each++) {
            int node = cluster.changed(each);
            cost[node] = costs.ofNode(node, request);
        }
        edition = newest;
        seen = cluster.changes();
    }

    /** What the cheapest node costs; infinite when the request fits nowhere. */
    double least() {
        double least = Double.POSITIVE_INFINITY;
        for (double each : cost) {
            least = Math.min(least, each);
        }
        return least;
    }

    /** The nodes with that cost: the first of them behind {@code skip} others. */
    int node(double wanted, int skip) {
        int rest = skip;
        for (int node = 0; node < cost.length; node++) {
            if (cost[node] == wanted && rest-- == 0) {
                return node;
            }
        }
        throw new IllegalStateException("no node costs " + wanted + " behind " + skip + " others");
    }

    /** The cheapest nodes on which it fits, the cheapest first; of equal ones the first ones. */
    List<Integer> best(int most) {
        return IntStream.range(0, cost.length)
                .filter(node -> cost[node] < Double.POSITIVE_INFINITY)
                .boxed()
                .sorted(Comparator.comparingDouble(node -> cost[node]))
                .limit(most)
                .toList();
    }

    /** The first of the cheapest of these nodes; -1 when the request fits on none of them. */
    int cheapest(IntPredicate nodes) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int node = 0; node < cost.length; node++) {
            if (cost[node] < least && nodes.test(node)) {
                best = node;
                least = cost[node];
            }
        }
        return best;
    }

    int count(double wanted) {
        int count = 0;
        for (double each : cost) {
            count += each == wanted ? 1 : 0;
        }
        return count;
    }
}
