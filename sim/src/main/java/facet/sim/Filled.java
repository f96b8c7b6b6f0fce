package facet.sim;

import facet.place.Choice;
import facet.place.Cluster;
import facet.place.Explanation;
import facet.place.Placer;
import facet.place.Policy;
import facet.place.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A cluster on which requests of a trace have found their places, to be asked about another. */
public final class Filled {
    /**
     * Where a request goes or why nowhere.
     *
     * @param used percent of all devices that others have
     * @param lines what fits and what does not, in words
     * @param choices the best places, the one that is taken first
     */
    public record Answer(
            String trace,
            String policy,
            long seed,
            int nodes,
            int devices,
            double used,
            boolean fits,
            List<String> lines,
            List<Place> choices) {
        public Answer {
            lines = List.copyOf(lines);
            choices = List.copyOf(choices);
        }
    }

    /**
     * @param devices numbers on the node, from 0
     * @param free thousandths of the node's devices
     * @param parts of the cost, by score
     */
    public record Place(
            String node,
            String model,
            List<Integer> devices,
            int free,
            double cost,
            Map<String, Double> parts) {}

    private final Trace trace;
    private final Policy policy;
    private final long seed;
    private final Cluster cluster;
    private final Placer placer;

    private Filled(Trace trace, Policy policy, long seed) {
        this.trace = trace;
        this.policy = policy;
        this.seed = seed;
        cluster = trace.cluster();
        placer = new Placer(cluster, policy, trace.requests(), seed);
    }

    /**
     * @param until what arrives, as a part of all devices; who finds no place is gone
     */
    public static Filled of(Trace trace, Policy policy, double until, long seed) {
        Filled filled = new Filled(trace, policy, seed);
        Arrivals.draw(trace, until, seed).forEach(filled.placer::place);
        return filled;
    }

    /**
     * @param most choices that are told
     */
    public Answer ask(Request request, int most) {
        Explanation why = placer.explain(request);
        List<Place> places = new ArrayList<>();
        for (Choice each : placer.choices(request, most)) {
            List<Integer> devices = new ArrayList<>();
            for (long rest = each.devices(); rest != 0; rest &= rest - 1) {
                devices.add(Long.numberOfTrailingZeros(rest));
            }
            places.add(
                    new Place(
                            cluster.node(each.node()).name(),
                            cluster.node(each.node()).model(),
                            devices,
                            each.free(),
                            each.cost(),
                            each.parts()));
        }
        return new Answer(
                trace.name(),
                policy.name(),
                seed,
                cluster.nodes(),
                cluster.devices(),
                100.0 * cluster.used() / Math.max(1, cluster.capacity()),
                why.fits(),
                why.lines(),
                places);
    }
}
