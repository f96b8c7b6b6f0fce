package facet.place.tide;

import facet.place.Cluster;
import facet.place.Job;
import facet.place.Ledger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/**
 * Lets nodes change hands by a {@link Tide}. Some time before a turn as many nodes as will go are
 * closed: first those that are empty, then those that will be soonest. They change hands when
 * nothing is on them, at the turn at the earliest. Whoever is still there when the patience after
 * the turn is over and may be ended is told to leave, with its grace; whoever ends before that by
 * itself never is. Who may not be ended stays, and its node with it.
 */
public final class Tides {
    /**
     * A node on its way from one pool to another.
     *
     * @param turn when it may change hands
     */
    private record Draining(String to, long turn) {}

    private final Ledger ledger;
    private final Cluster cluster;
    private final Tide tide;
    private final long drain;
    private final long patience;
    private final Map<Integer, Draining> draining = new TreeMap<>();
    private final Set<Integer> told = new HashSet<>();

    /**
     * @param drain seconds before a turn from which nodes are closed
     * @param patience seconds after it for which nobody is told to leave
     */
    public Tides(Ledger ledger, Tide tide, long drain, long patience) {
        if (drain < 0 || drain >= Tide.DAY || patience < 0) {
            throw new IllegalArgumentException(
                    "a drain of " + drain + " seconds, a patience of " + patience);
        }
        this.ledger = ledger;
        this.cluster = ledger.cluster();
        this.tide = tide;
        this.drain = drain;
        this.patience = patience;
    }

    /** Somebody has left, or ended by itself. */
    public void left(int ticket) {
        told.remove(ticket);
    }

    /**
     * What is done now. Nodes are closed, opened and changed in the cluster already; evictions are
     * left to whoever asks.
     *
     * @param ends when the job of a ticket ends by itself; {@link Job.Stay#UNKNOWN} if nobody knows
     */
    public List<Step> decide(long now, IntToLongFunction ends) {
        List<Step> steps = new ArrayList<>();
        change(now, steps);
        long ahead = now + drain;
        plan(tide.at(ahead), tide.began(ahead), ends, steps);
        change(now, steps);
        evict(now, ends, steps);
        return steps;
    }

    /** Those that are due and empty. */
    private void change(long now, List<Step> steps) {
        draining.entrySet()
                .removeIf(each -> {
                    int node = each.getKey();
                    boolean ready = each.getValue().turn() <= now && ledger.on(node).isEmpty();
                    if (ready) {
                        cluster.changePool(node, each.getValue().to());
                        cluster.open(node);
                        steps.add(new Step.Change(node, each.getValue().to()));
                    }
                    return ready;
                });
    }

    private void plan(
            Map<String, Integer> wanted, long turn, IntToLongFunction ends, List<Step> steps) {
        Map<String, Integer> surplus = surplus(wanted);
        // Those that go where nobody is missing any more stay where they are.
        for (int node : List.copyOf(draining.keySet())) {
            Draining on = going(node);
            String from = pool(node);
            if (count(surplus, on.to()) > 0 && count(surplus, from) < 0) {
                draining.remove(node);
                cluster.open(node);
                surplus.merge(on.to(), -1, Integer::sum);
                surplus.merge(from, 1, Integer::sum);
                steps.add(new Step.Stay(node));
            }
        }
        for (String to : new TreeMap<>(surplus).keySet()) {
            while (count(surplus, to) < 0) {
                int node = cheapest(surplus, ends);
                if (node < 0) {
                    return;
                }
                surplus.merge(pool(node), -1, Integer::sum);
                surplus.merge(to, 1, Integer::sum);
                draining.put(node, new Draining(to, turn));
                cluster.close(node);
                steps.add(new Step.Drain(node, to));
            }
        }
    }

    private Draining going(int node) {
        Draining on = draining.get(node);
        if (on == null) {
            throw new IllegalStateException("node " + node + " goes nowhere");
        }
        return on;
    }

    private static int count(Map<String, Integer> counts, String pool) {
        return counts.getOrDefault(pool, 0);
    }

    /** Nodes that each pool has more than wanted, when all that are on their way have come. */
    private Map<String, Integer> surplus(Map<String, Integer> wanted) {
        Map<String, Integer> surplus = new TreeMap<>();
        wanted.forEach((pool, count) -> surplus.put(pool, -count));
        for (int node = 0; node < cluster.nodes(); node++) {
            Draining on = draining.get(node);
            String pool = on == null ? pool(node) : on.to();
            surplus.computeIfPresent(pool, (name, count) -> count + 1);
        }
        return surplus;
    }

    private String pool(int node) {
        return cluster.pools().name(cluster.pool(node));
    }

    /** Of pools that have too many the one that is empty soonest; -1: there is none. */
    private int cheapest(Map<String, Integer> surplus, IntToLongFunction ends) {
        List<Integer> possible = new ArrayList<>();
        for (int node = 0; node < cluster.nodes(); node++) {
            boolean goes =
                    count(surplus, pool(node)) > 0
                            && !draining.containsKey(node)
                            && !cluster.isClosed(node);
            if (goes) {
                possible.add(node);
            }
        }
        return possible.stream()
                .min(
                        Comparator.<Integer>comparingInt(each -> stays(each) ? 1 : 0)
                                .thenComparingLong(each -> empty(each, ends))
                                .thenComparingInt(each -> ledger.on(each).size())
                                .thenComparingInt(each -> each))
                .orElse(-1);
    }

    /** Whether somebody is there who may not be ended. */
    private boolean stays(int node) {
        return ledger.on(node).stream()
                .anyMatch(each -> ledger.job(each).stay().leaving() == Job.Leaving.NEVER);
    }

    private long empty(int node, IntToLongFunction ends) {
        return ledger.on(node).stream().mapToLong(ends::applyAsLong).max().orElse(Long.MIN_VALUE);
    }

    private void evict(long now, IntToLongFunction ends, List<Step> steps) {
        draining.forEach((node, on) -> {
            if (now < on.turn() + patience) {
                return;
            }
            for (int ticket : ledger.on(node)) {
                Job.Stay stay = ledger.job(ticket).stay();
                long deadline = stay.deadline(now);
                boolean endsByItself = ends.applyAsLong(ticket) <= deadline;
                if (stay.leaving() != Job.Leaving.NEVER && !endsByItself && told.add(ticket)) {
                    steps.add(new Step.Evict(node, ticket, deadline));
                }
            }
        });
    }
}
