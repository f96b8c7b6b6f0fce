package facet.kube.ledger;

import facet.kube.names.PodWish;
import facet.place.Request;
import facet.place.Trial;
import facet.slices.Size;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What others ask who choose nodes themselves, or let pods in; nothing is changed by it. */
public record NodeQuestions(ClusterState state) {
    /** What a pod asks for, in the terms of the fleet as it is; of its first container. */
    private Request request(PodFacts pod, PodWish wish, NodeChoice choice) {
        return state.waiting().requests(pod, wish, choice, state.fleet()).getFirst();
    }

    /** For each of these nodes why it does not do; empty where it does. */
    public Map<String, String> lacks(
            PodFacts pod, PodWish wish, NodeChoice choice, List<String> names) {
        Map<String, String> lacks = new LinkedHashMap<>();
        Request request = request(pod, wish, choice);
        for (String each : names) {
            int node = state.fleet().number(each);
            lacks.put(
                    each,
                    node < 0
                            ? "it is not known yet"
                            : state.fleet().placer.lacks(node, request).orElse(""));
        }
        return lacks;
    }

    /** The best places, the best first. */
    public List<String> best(PodFacts pod, PodWish wish, NodeChoice choice, int most) {
        return state.fleet().placer.choices(request(pod, wish, choice), most).stream()
                .map(each -> state.fleet().facts(each.node()).name())
                .toList();
    }

    /** Whether it would fit on a node if these were not there. */
    public boolean fitsWithout(
            PodFacts pod, PodWish wish, NodeChoice choice, String name, List<String> uids) {
        Request request = request(pod, wish, choice);
        int node = state.fleet().number(name);
        if (node < 0) {
            return false;
        }
        try (Trial trial = new Trial(state.fleet().ledger)) {
            for (String uid : uids) {
                Holding holding = state.holdings().get(uid, name);
                if (holding != null) {
                    holding.tickets.forEach(trial::without);
                }
            }
            return state.fleet().placer.lacks(node, request).isEmpty();
        }
    }

    /**
     * Why a pod could not run even if nothing else did; empty: it could. While no node has devices
     * nobody knows.
     */
    public String never(PodFacts pod, PodWish wish, NodeChoice choice) {
        String queue = wish.queue().isEmpty() ? state.queueOf(pod) : wish.queue();
        QueueFacts limits = state.queues().get(queue);
        if (!queue.isEmpty() && (limits == null || !limits.takes(pod.namespace()))) {
            return limits == null
                    ? "there is no queue '" + queue + "'; there are " + state.queues().keySet()
                    : "queue '" + queue + "' is not for namespace " + pod.namespace();
        }
        if (limits != null && wish.demand() > limits.queue().limit()) {
            return "it asks for %s devices, and queue '%s' of its namespace has at most %s"
                    .formatted(wish.demand() / 1000.0, queue, limits.queue().limit() / 1000.0);
        }
        if (state.nodes().values().stream().allMatch(each -> each.devices().isEmpty())) {
            return "";
        }
        List<Request> requests = state.waiting().requests(pod, wish, choice, state.fleet());
        for (int i = 0; i < requests.size(); i++) {
            Request each = requests.get(i);
            boolean suits = false;
            for (int node = 0; !suits && node < state.fleet().cluster.nodes(); node++) {
                suits =
                        state.fleet().cluster.isClosed(node)
                                || state.fleet().cluster.suits(node, each);
            }
            if (!suits) {
                return "it could run nowhere, even if nothing else did: container '"
                        + wish.containers().get(i).container()
                        + "' asks for "
                        + wish.containers().get(i).text()
                        + ", and "
                        + most(choice);
            }
        }
        return "";
    }

    /** The largest node that a pod accepts, in words. */
    private String most(NodeChoice choice) {
        return state.nodes().values().stream()
                .filter(choice::accepts)
                .filter(each -> !each.devices().isEmpty())
                .max(
                        Comparator.comparingInt(NodeFacts::deviceMemory)
                                .thenComparingInt(each -> each.devices().size()))
                .map(each ->
                        "the largest node that it accepts has %d devices with %s each, %s processors and %s of memory"
                                .formatted(
                                        each.devices().size(),
                                        Size.text((long) each.deviceMemory() << 20),
                                        each.cpu() / 1000.0,
                                        Size.text((long) each.memory() << 20)))
                .orElse("no node that it accepts has devices");
    }
}
