package facet.kube.ledger;

import facet.kube.names.Family;
import facet.kube.names.PodWish;
import facet.kube.names.Wish;
import facet.place.Gang;
import facet.place.Job;
import facet.place.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pods that wait here, and the gangs that they are. A pod is a gang of its containers, on one node;
 * pods that name a gang begin together when all of them are there.
 */
final class WaitingPods {
    private static final class One {
        final PodFacts pod;
        final PodWish wish;
        final NodeChoice choice;

        /** The gang in which the dispatcher has it; empty: it has it not. */
        String submitted = "";

        /** Why the dispatcher does not take it, as queues are now; empty: it does. */
        String trouble = "";

        /** It has a place, and is about to be bound. */
        boolean assigned;

        One(PodFacts pod, PodWish wish, NodeChoice choice) {
            this.pod = pod;
            this.wish = wish;
            this.choice = choice;
        }

        String gang() {
            return wish.gang().isEmpty() ? pod.uid() : pod.namespace() + "/" + wish.gang();
        }
    }

    private final Map<String, One> byUid = new LinkedHashMap<>();

    /** Members of a gang that were bound: they need not wait for them again. */
    private final Map<String, Integer> begun = new LinkedHashMap<>();

    boolean has(String uid) {
        return byUid.containsKey(uid);
    }

    int count() {
        return byUid.size();
    }

    String queue(String uid) {
        One one = byUid.get(uid);
        return one == null ? "" : one.wish.queue();
    }

    String gang(String uid) {
        One one = byUid.get(uid);
        return one == null ? uid : one.gang();
    }

    /** For people. */
    String describe(String gang) {
        One one = byUid.get(gang);
        return one == null ? "gang " + gang : one.pod.path();
    }

    /**
     * @return why it cannot begin as queues are now; empty: it may
     */
    String add(
            PodFacts pod,
            PodWish wish,
            NodeChoice choice,
            Fleet fleet,
            Function<@Nullable PodFacts, String> queueOf) {
        if (byUid.containsKey(pod.uid())) {
            return "";
        }
        One one = new One(pod, wish, choice);
        byUid.put(pod.uid(), one);
        trySubmit(one, fleet, queueOf);
        return one.trouble;
    }

    /** What is not taken now may be when queues or nodes have changed. */
    private void trySubmit(One one, Fleet fleet, Function<@Nullable PodFacts, String> queueOf) {
        try {
            one.trouble = "";
            submit(one, fleet, queueOf);
        } catch (IllegalArgumentException e) {
            one.trouble = String.valueOf(e.getMessage());
        }
    }

    void submitAll(Fleet fleet, Function<@Nullable PodFacts, String> queueOf) {
        byUid.values().forEach(each -> each.submitted = "");
        for (One each : List.copyOf(byUid.values())) {
            if (!each.assigned) {
                trySubmit(each, fleet, queueOf);
            }
        }
    }

    void again(String uid, Fleet fleet, Function<@Nullable PodFacts, String> queueOf) {
        One one = byUid.get(uid);
        if (one != null && one.assigned) {
            one.assigned = false;
            one.submitted = "";
            trySubmit(one, fleet, queueOf);
        }
    }

    private void submit(One one, Fleet fleet, Function<@Nullable PodFacts, String> queueOf) {
        if (!one.submitted.isEmpty()) {
            return;
        }
        String name = one.gang();
        List<One> members =
                one.wish.gang().isEmpty()
                        ? List.of(one)
                        : byUid.values().stream()
                                .filter(each -> each.gang().equals(name) && !each.assigned)
                                .toList();
        int there = members.size() + begun.getOrDefault(name, 0);
        if (there < one.wish.gangSize()) {
            return;
        }
        // Those that came late to a gang that has begun wait by themselves.
        members = members.stream().filter(each -> each.submitted.isEmpty()).toList();
        List<Job> jobs = new ArrayList<>();
        for (One each : members) {
            String queue = queueOf.apply(each.pod);
            List<Request> requests = requests(each.pod, each.wish, each.choice, fleet);
            for (int i = 0; i < requests.size(); i++) {
                jobs.add(job(each, each.wish.containers().get(i), requests.get(i), queue, one.pod));
            }
        }
        String id = one.wish.gang().isEmpty() ? name : name + "#" + one.pod.uid();
        Gang gang =
                new Gang(
                        id,
                        jobs,
                        Gang.FOREVER,
                        one.wish.gang().isEmpty() ? Gang.Near.NODE : Gang.Near.ANYWHERE);
        fleet.dispatcher.submit(gang, one.pod.created() * 1000);
        members.forEach(each -> each.submitted = id);
    }

    /** All of a gang have the first one's priority: they begin together. */
    private static Job job(One one, Wish wish, Request request, String queue, PodFacts first) {
        return new Job(
                one.pod.uid() + "/" + wish.container(),
                request,
                queue,
                first.priority(),
                new Job.Stay(
                        Job.Stay.UNKNOWN,
                        one.pod.stays() ? Job.Leaving.NEVER : Job.Leaving.RESTARTS,
                        one.pod.grace() * 1000));
    }

    /** A request for each container that asks; the first has the pod's processors and memory. */
    List<Request> requests(PodFacts pod, PodWish wish, NodeChoice choice, Fleet fleet) {
        boolean relative =
                wish.containers().stream()
                        .anyMatch(each -> each.memory() instanceof Wish.Memory.Part);
        List<Integer> sizes = fleet.deviceMemories();
        if (!relative || sizes.isEmpty()) {
            return requests(pod, wish, choice.withDevices(0, wish.models()), fleet, 0);
        }
        // A part of a device is another amount on each kind of devices: one on which it fits.
        List<Request> first = List.of();
        for (int size : sizes) {
            List<Request> requests =
                    requests(pod, wish, choice.withDevices(size, wish.models()), fleet, size);
            first = first.isEmpty() ? requests : first;
            if (fleet.placer.propose(requests.getFirst()).isPresent()) {
                return requests;
            }
        }
        return first;
    }

    private static List<Request> requests(
            PodFacts pod, PodWish wish, NodeChoice choice, Fleet fleet, int deviceMemory) {
        List<Request> requests = new ArrayList<>();
        for (Wish each : wish.containers()) {
            boolean first = requests.isEmpty();
            requests.add(
                    fleet.request(
                            each,
                            choice,
                            deviceMemory,
                            first ? pod.cpu() : 0,
                            first ? pod.memory() : 0));
        }
        return requests;
    }

    PodFacts assigned(String uid) {
        One one = byUid.get(uid);
        if (one == null) {
            throw new IllegalStateException("nobody waits as " + uid);
        }
        one.assigned = true;
        return one.pod;
    }

    boolean isAliyun(String uid) {
        One one = byUid.get(uid);
        return one != null && one.wish.containers().getFirst().family() == Family.ALIYUN;
    }

    Given given(String uid, String container, Fleet fleet, int node, long devices) {
        One one = byUid.get(uid);
        if (one == null) {
            throw new IllegalStateException("nobody waits as " + uid);
        }
        Wish wish =
                one.wish.containers().stream()
                        .filter(each -> each.container().equals(container))
                        .findFirst()
                        .orElseThrow();
        return given(wish, fleet, node, devices);
    }

    static Given given(Wish wish, Fleet fleet, int node, long devices) {
        long size = fleet.facts(node).devices().stream().mapToLong(Device::memory).min().orElse(0);
        return new Given(
                fleet.uuids(node, devices),
                Math.min(size, wish.memory().bytes(size)),
                wish.thousandths(),
                wish.codec(),
                wish.render(),
                wish.burst(),
                wish.policy().text(),
                wish.priority());
    }

    /** It is bound, or gone. */
    void remove(String uid, Fleet fleet) {
        One one = byUid.remove(uid);
        if (one == null) {
            return;
        }
        if (!one.wish.gang().isEmpty() && one.assigned) {
            begun.merge(one.gang(), 1, Integer::sum);
        }
        if (!one.assigned && !one.submitted.isEmpty()) {
            fleet.dispatcher.withdraw(one.submitted);
            byUid.values().stream()
                    .filter(each -> each.submitted.equals(one.submitted) && !each.assigned)
                    .forEach(each -> each.submitted = "");
        }
    }

    String explain(String uid, Fleet fleet) {
        One one = byUid.get(uid);
        if (one == null) {
            return "it does not wait here";
        }
        if (!one.trouble.isEmpty()) {
            return one.trouble;
        }
        if (one.submitted.isEmpty()) {
            long there =
                    byUid.values().stream().filter(each -> each.gang().equals(one.gang())).count();
            return "%d of the %d pods of gang '%s' are there"
                    .formatted(there, one.wish.gangSize(), one.wish.gang());
        }
        List<String> lines =
                new ArrayList<>(
                        fleet.placer
                                .explain(requests(one.pod, one.wish, one.choice, fleet).getFirst())
                                .lines());
        String first = lines.removeFirst();
        if (!first.contains("nowhere")) {
            return one.wish.gangSize() > 1
                    ? "%s; all %d of gang '%s' begin together, and there is no room for all"
                            .formatted(first, one.wish.gangSize(), one.wish.gang())
                    : "there is room for it; others come first, or its queue has all that it may have";
        }
        return "fits nowhere: " + String.join("; ", lines);
    }
}
