package facet.host.session;

import facet.host.ledger.Tally;
import java.util.ArrayList;
import java.util.List;

/** The graphs that a client has made in a context. */
final class ContextGraphs {
    private static final int MOST_GRAPHS = 1 << 16;

    private final Handles<SessionGraph> graphs;
    private final List<SessionGraph> destroyed = new ArrayList<>();
    private final Tally tally;

    ContextGraphs(Tally tally) {
        this.tally = tally;
        graphs = new Handles<>("graph", MOST_GRAPHS, tally);
    }

    void create(int number, SessionGraph graph) {
        sweep();
        graphs.put(number, graph);
    }

    SessionGraph get(int number) {
        return graphs.get(number);
    }

    /** What was launched goes on; only its number is free again. */
    void destroy(int number) {
        destroyed.add(graphs.remove(number));
        if (destroyed.size() > MOST_GRAPHS) {
            throw new ProtocolViolation(
                    "more than " + MOST_GRAPHS + " graphs that are destroyed and not done");
        }
        sweep();
    }

    private void sweep() {
        destroyed.removeIf(each -> {
            if (!each.isIdle()) {
                return false;
            }
            each.close();
            forget(each);
            graphs.ended();
            return true;
        });
    }

    private void forget(SessionGraph graph) {
        tally.removeObjects(graph.counted());
    }

    /** The context has ended, and with it those that are left: their streams are gone with it. */
    void endAll() {
        graphs.values().forEach(this::forget);
        destroyed.forEach(each -> {
            forget(each);
            graphs.ended();
        });
        destroyed.clear();
        graphs.endAll();
    }
}
