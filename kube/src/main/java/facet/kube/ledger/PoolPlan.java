package facet.kube.ledger;

import facet.place.Job;
import facet.place.tide.Step;
import facet.place.tide.Tide;
import facet.place.tide.Tides;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which nodes go to another pool, by a calendar. What is under way is on the nodes themselves, so
 * that whoever leads next goes on with it. Nobody is ended for it. Times are seconds since 1970.
 */
public record PoolPlan(ClusterState state) {
    /** Longer than any pod lives: nobody is told to leave. */
    private static final long PATIENCE = 1000 * 365 * Tide.DAY;

    /**
     * A node is to go to a pool when nothing is on it.
     *
     * @param pool empty: it stays where it is after all
     */
    public record Move(String node, String pool) {}

    /**
     * @param drain seconds before a turn from which nodes take nothing new
     */
    public List<Move> decide(Tide tide, long drain, long now) {
        Fleet fleet = state.fleet();
        Tides tides = new Tides(fleet.ledger, tide, drain, PATIENCE);
        for (NodeFacts each : state.nodes().values()) {
            boolean goes =
                    tide.pools().contains(each.nextPool()) && tide.pools().contains(each.pool());
            if (goes) {
                long turn = isDue(tide, each, now) ? tide.began(now) : tide.began(now + drain);
                tides.adopt(fleet.number(each.name()), each.nextPool(), turn);
            }
        }
        List<Move> moves = new ArrayList<>();
        for (Step each : tides.decide(now, _ -> Job.Stay.UNKNOWN)) {
            String node = fleet.facts(each.node()).name();
            switch (each) {
                case Step.Drain drained -> moves.add(new Move(node, drained.pool()));
                case Step.Stay _ -> moves.add(new Move(node, ""));
                // Its label is changed when nothing that has a device is on it; see isDue.
                case Step.Change _ -> {}
                case Step.Evict _ -> {}
            }
        }
        // What is closed and open is said by the nodes, when they are written.
        state.makeAnew();
        return moves;
    }

    /** Whether the pool to which a node is to go wants it now, not only soon. */
    public boolean isDue(Tide tide, NodeFacts node, long now) {
        Map<String, Integer> wanted = tide.at(now);
        if (!tide.pools().contains(node.nextPool()) || !tide.pools().contains(node.pool())) {
            return true;
        }
        return count(node.nextPool()) < wanted.getOrDefault(node.nextPool(), 0);
    }

    private long count(String pool) {
        return state.nodes().values().stream().filter(each -> each.pool().equals(pool)).count();
    }
}
