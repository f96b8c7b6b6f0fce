package facet.place;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What if: some have left, others are there. The cluster looks so until the trial is closed; then
 * all is as it was. The ledger knows nothing of it: nobody enters or leaves by what a trial gave.
 */
public final class Trial implements AutoCloseable {
    private record Step(int node, long devices, Request request, boolean taken) {}

    /** Of a node: its version before the trial, and how often it changed by it. */
    private static final class Before {
        final long version;
        int changes;

        Before(long version) {
            this.version = version;
        }
    }

    private final Ledger ledger;
    private final Cluster cluster;
    private final List<Step> steps = new ArrayList<>();
    private final Map<Integer, Before> before = new HashMap<>();

    public Trial(Ledger ledger) {
        this.ledger = ledger;
        cluster = ledger.cluster();
    }

    /** As if the ticket had been given back. */
    public void without(int ticket) {
        Request request = ledger.job(ticket).request();
        count(ledger.node(ticket));
        cluster.give(ledger.node(ticket), ledger.devices(ticket), request);
        steps.add(new Step(ledger.node(ticket), ledger.devices(ticket), request, false));
    }

    /**
     * As if it had been placed there.
     *
     * @throws IllegalStateException when there is no room
     */
    public void with(Request request, int node, long devices) {
        if (!cluster.canTake(node, devices, request)) {
            throw new IllegalStateException(
                    "no room on node '" + cluster.node(node).name() + "' for " + request);
        }
        count(node);
        Request placed = cluster.resolve(node, devices, request);
        cluster.take(node, devices, placed);
        steps.add(new Step(node, devices, placed, true));
    }

    public void with(Proposal where) {
        with(where.request(), where.node(), where.devices());
    }

    /** Whether there is room for a ticket that is thought away, where it was. */
    public boolean canReturn(int ticket) {
        Request request = ledger.job(ticket).request();
        return cluster.canTake(ledger.node(ticket), ledger.devices(ticket), request);
    }

    /** It is there again after all. */
    public void back(int ticket) {
        Request request = ledger.job(ticket).request();
        int node = ledger.node(ticket);
        count(node);
        cluster.takeAgain(node, ledger.devices(ticket), request);
        steps.add(new Step(node, ledger.devices(ticket), request, true));
    }

    /** For {@link #undoTo}. */
    public int steps() {
        return steps.size();
    }

    /** As it was when there were so many steps. */
    public void undoTo(int count) {
        while (steps.size() > count) {
            Step last = steps.removeLast();
            count(last.node());
            if (last.taken()) {
                cluster.give(last.node(), last.devices(), last.request());
            } else {
                cluster.takeAgain(last.node(), last.devices(), last.request());
            }
        }
    }

    private void count(int node) {
        before.computeIfAbsent(node, each -> new Before(cluster.version(each))).changes++;
    }

    @Override
    public void close() {
        undoTo(0);
        before.forEach((node, known) -> {
            // Unless something happened meanwhile, it is the same node as before.
            if (cluster.version(node) == known.version + known.changes) {
                cluster.undone(node, known.version);
            }
        });
        before.clear();
    }
}
