package facet.kube.ledger;

import java.util.Map;
import java.util.TreeMap;

/** What queues and pools have, for people. Thousandths of devices. */
public record Usage(ClusterState state) {
    /**
     * @param waiting pods
     */
    public record OfQueue(long used, int waiting) {}

    /**
     * @param moving nodes that are on their way to it
     */
    public record OfPool(int nodes, int moving, int devices, long used) {
        private static final OfPool NOTHING = new OfPool(0, 0, 0, 0);

        private OfPool with(int more, int going, int newDevices, long newUsed) {
            return new OfPool(nodes + more, moving + going, devices + newDevices, used + newUsed);
        }
    }

    public Map<String, OfQueue> queues() {
        Fleet fleet = state.fleet();
        Map<String, OfQueue> all = new TreeMap<>();
        for (String each : state.queues().keySet()) {
            all.put(
                    each,
                    new OfQueue(
                            fleet.dispatcher.quotas().used(each),
                            state.waiting().countIn(each, state::queueOf)));
        }
        return all;
    }

    /** Of pools to which a node belongs or goes. */
    public Map<String, OfPool> pools() {
        Map<String, Long> used = new TreeMap<>();
        for (Holding each : state.holdings().all()) {
            Placed placed = each.placed;
            if (placed != null) {
                long sum = 0;
                for (Given given : placed.containers().values()) {
                    sum += (long) given.thousandths() * given.devices().size();
                }
                used.merge(each.node, sum, Long::sum);
            }
        }
        Map<String, OfPool> all = new TreeMap<>();
        for (NodeFacts each : state.nodes().values()) {
            all.merge(
                    each.pool(),
                    OfPool.NOTHING.with(
                            1, 0, each.devices().size(), used.getOrDefault(each.name(), 0L)),
                    (a, b) -> a.with(b.nodes, b.moving, b.devices, b.used));
            if (!each.nextPool().isEmpty()) {
                all.merge(
                        each.nextPool(),
                        OfPool.NOTHING.with(0, 1, 0, 0),
                        (a, b) -> a.with(b.nodes, b.moving, b.devices, b.used));
            }
        }
        return all;
    }

    /** Whether somebody has said what pods like this one may have. */
    public boolean hasQueue(PodFacts pod) {
        return state.queues().containsKey(state.queueOf(pod));
    }

    /** Whether its queue allows a pod so many thousandths more. */
    public boolean mayGrow(PodFacts pod, long thousandths) {
        Fleet fleet = state.fleet();
        QueueFacts queue = state.queues().get(state.queueOf(pod));
        return queue == null
                || thousandths
                        <= queue.queue().limit()
                                - fleet.dispatcher.quotas().used(queue.queue().name());
    }
}
