package facet.sim;

import facet.place.Cluster;
import facet.place.Mix;
import facet.place.Placer;
import facet.place.Policy;
import facet.place.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A cluster that is filled beyond what it has, and nobody leaves.
 *
 * @param allocation percent of all devices that were in use when as much had arrived as was asked
 *     for: the mean over the last half percent, as the authors of FGD count
 * @param curve the same for each whole percent that arrived, from 0
 * @param fragmentation percent of all devices that was free and of no use to the requests of the
 *     trace, on average; for each whole percent that arrived
 * @param placed requests that found a place
 * @param arrived requests in all
 */
public record Filling(
        String trace,
        String policy,
        long seed,
        double allocation,
        List<Double> curve,
        List<Double> fragmentation,
        int placed,
        int arrived) {
    public Filling {
        curve = List.copyOf(curve);
        fragmentation = List.copyOf(fragmentation);
    }

    /** As the authors of FGD count it, whatever policy: without the rarest twentieth. */
    private static final Mix.Terms COUNTED = new Mix.Terms(0.95, 0);

    /**
     * @param until what arrives, as a part of all devices: 1.3 is 130 %
     */
    public static Filling run(Trace trace, Policy policy, double until, long seed) {
        List<Request> arrivals = Arrivals.draw(trace, until, seed);
        // The authors of FGD give nodes new names by chance, and of equal ones the first name wins.
        Cluster cluster =
                trace.on(Shuffled.of(trace.nodes(), new SplittableRandom(~seed))).cluster();
        Placer placer = new Placer(cluster, policy, trace.requests(), seed);
        int percents = (int) Math.round(100 * until) + 1;
        double[] sums = new double[percents];
        int[] counts = new int[percents];
        double[] fragments = new double[percents];
        Mix mix = Mix.given(COUNTED, trace.requests());
        double capacity = cluster.capacity();
        long demand = 0;
        int placed = 0;
        for (Request each : arrivals) {
            demand += each.demand();
            placed += placer.place(each).isPresent() ? 1 : 0;
            int percent = (int) Math.min(percents - 1, Math.round(100 * demand / capacity));
            sums[percent] += 100 * cluster.used() / capacity;
            // Once for each percent: it looks at every node.
            fragments[percent] =
                    counts[percent]++ == 0 ? fragmentation(cluster, mix) : fragments[percent];
        }
        placer.ledger().audit();
        List<Double> curve = new ArrayList<>();
        List<Double> fragmentation = new ArrayList<>();
        double last = 0;
        double lastFragments = 0;
        for (int i = 0; i < percents; i++) {
            // Large requests skip percents of a small cluster.
            last = counts[i] == 0 ? last : sums[i] / counts[i];
            curve.add(last);
            lastFragments = counts[i] == 0 ? lastFragments : fragments[i];
            fragmentation.add(lastFragments);
        }
        return new Filling(
                trace.name(),
                policy.name(),
                seed,
                last,
                curve,
                fragmentation,
                placed,
                arrivals.size());
    }

    /** Percent of all devices. */
    private static double fragmentation(Cluster cluster, Mix mix) {
        double sum = 0;
        for (int node = 0; node < cluster.nodes(); node++) {
            sum += mix.table(cluster.model(node)).fragmentation(cluster, node);
        }
        return 100 * sum / cluster.capacity();
    }
}
