package facet.place.preempt;

import facet.place.Cluster;
import facet.place.Ledger;
import facet.place.Placer;
import facet.place.Proposal;
import facet.place.Request;
import facet.place.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Over all nodes: the units that have to leave so that a request fits. Those of the highest level
 * among them are as low as can be; then they cost as little as can be; then they are as few as can
 * be.
 */
public final class Preemption {
    private final Ledger ledger;
    private final Placer placer;

    public Preemption(Placer placer) {
        this.placer = placer;
        ledger = placer.ledger();
    }

    /**
     * @param already units that leave anyway, and whose tickets are thought away already
     * @return nothing where no set makes room for it. The units are those beside {@code already}
     */
    public Optional<Eviction> find(Request request, Victims victims, List<Integer> already) {
        Cluster cluster = ledger.cluster();
        List<Integer> nodes = new ArrayList<>();
        TreeSet<Long> found = new TreeSet<>();
        for (int node = 0; node < cluster.nodes(); node++) {
            if (cluster.suits(node, request)) {
                nodes.add(node);
                ledger.forEachOn(
                        node,
                        ticket -> {
                            int unit = victims.unit(ticket);
                            if (unit != Victims.NOBODY) {
                                found.add(victims.level(unit));
                            }
                        });
            }
        }
        List<Long> levels = List.copyOf(found);
        NodeSearch search = new NodeSearch(ledger, victims, request);
        for (int i = lowest(search, nodes, levels, already); i < levels.size(); i++) {
            long level = levels.get(i);
            Optional<NodeSearch.Found> best = cheapest(search, nodes, level, already);
            if (best.isPresent()) {
                return best.map(each -> placed(each, level, request, victims, already));
            }
        }
        return Optional.empty();
    }

    /**
     * For each node that has one: the cheapest set without which a request fits there; the cheapest
     * node first.
     */
    public Stream<Eviction> onEachNode(Request request, Victims victims) {
        Cluster cluster = ledger.cluster();
        NodeSearch search = new NodeSearch(ledger, victims, request);
        List<NodeSearch.Found> all = new ArrayList<>();
        for (int node = 0; node < cluster.nodes(); node++) {
            if (cluster.suits(node, request)) {
                all.add(
                        search.cheapest(
                                node,
                                Long.MAX_VALUE,
                                List.of(),
                                Long.MAX_VALUE,
                                Integer.MAX_VALUE));
            }
        }
        return all.stream()
                .filter(each -> !each.units().isEmpty())
                .sorted(
                        Comparator.comparingLong(NodeSearch.Found::cost)
                                .thenComparingInt(each -> each.units().size())
                                .thenComparingInt(NodeSearch.Found::node))
                .map(each -> placed(each, 0, request, victims, List.of()));
    }

    /** The first level at which some node has room when all up to it have left. */
    private static int lowest(
            NodeSearch search, List<Integer> nodes, List<Long> levels, List<Integer> already) {
        int low = 0;
        int high = levels.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            long level = levels.get(middle);
            if (nodes.stream().anyMatch(node -> search.isPossible(node, level, already))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private static Optional<NodeSearch.Found> cheapest(
            NodeSearch search, List<Integer> nodes, long level, List<Integer> already) {
        long cost = Long.MAX_VALUE;
        int count = Integer.MAX_VALUE;
        Optional<NodeSearch.Found> best = Optional.empty();
        for (int node : nodes) {
            NodeSearch.Found found = search.cheapest(node, level, already, cost, count);
            if (!found.units().isEmpty()) {
                cost = found.cost();
                count = found.units().size();
                best = Optional.of(found);
            }
        }
        return best;
    }

    /** With the devices that it gets there. */
    private Eviction placed(
            NodeSearch.Found found,
            long level,
            Request request,
            Victims victims,
            List<Integer> already) {
        List<Integer> units =
                found.units().stream().filter(each -> !already.contains(each)).toList();
        try (Trial trial = new Trial(ledger)) {
            for (int ticket : ledger.on(found.node())) {
                if (units.contains(victims.unit(ticket))) {
                    trial.without(ticket);
                }
            }
            Proposal where =
                    placer.proposeOn(found.node(), request)
                            .orElseThrow(() ->
                                    new IllegalStateException(
                                            "no room for " + request + " where it was made"));
            return new Eviction(where.anyVersion(), units, level, found.cost());
        }
    }
}
