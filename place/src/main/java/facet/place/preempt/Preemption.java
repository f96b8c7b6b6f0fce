package facet.place.preempt;

import facet.place.Ledger;
import facet.place.Placer;
import facet.place.Proposal;
import facet.place.Request;
import facet.place.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
        NodeSearch search = new NodeSearch(ledger, victims, request);
        long[] levels = search.candidates().levels();
        for (int i = lowest(search, levels, already); i < levels.length; i++) {
            long level = levels[i];
            Optional<NodeSearch.Found> best = cheapest(search, level, already);
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
        NodeSearch search = new NodeSearch(ledger, victims, request);
        List<NodeSearch.Found> all = new ArrayList<>();
        for (int i = 0; i < search.candidates().nodes(); i++) {
            all.add(
                    search.cheapest(
                            i, Long.MAX_VALUE, List.of(), Long.MAX_VALUE, Integer.MAX_VALUE));
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
    private static int lowest(NodeSearch search, long[] levels, List<Integer> already) {
        int low = 0;
        int high = levels.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isPossible(search, levels[middle], already)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private static boolean isPossible(NodeSearch search, long level, List<Integer> already) {
        for (int i = 0; i < search.candidates().nodes(); i++) {
            if (search.isPossible(i, level, already)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<NodeSearch.Found> cheapest(
            NodeSearch search, long level, List<Integer> already) {
        long cost = Long.MAX_VALUE;
        int count = Integer.MAX_VALUE;
        Optional<NodeSearch.Found> best = Optional.empty();
        for (int i = 0; i < search.candidates().nodes(); i++) {
            // Somebody has to leave there, and nobody there costs less.
            if (search.candidates().leastCost(i) > cost) {
                continue;
            }
            NodeSearch.Found found = search.cheapest(i, level, already, cost, count);
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
