package facet.kube.ledger;

import facet.kube.names.Family;
import facet.kube.names.PodWish;
import facet.place.Proposal;
import facet.place.Request;
import facet.place.queue.Decision;
import facet.place.queue.Queue;
import facet.place.queue.Quotas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as one process knows it: nodes, what is promised of them by books, pods and claims, and
 * the pods that wait here. Whoever calls tells what happened, and carries out what is decided. Time
 * is what the caller says, in milliseconds. Not for two threads at once.
 */
public final class ClusterState {
    private final ScheduleSettings settings;
    private final Map<String, NodeFacts> nodes = new TreeMap<>();
    private final Map<String, PodFacts> pods = new HashMap<>();
    private final Map<String, Book> books = new HashMap<>();
    private final Map<String, QueueFacts> queues = new TreeMap<>();
    private final Holdings holdings = new Holdings();
    private final WaitingPods waiting = new WaitingPods();
    private final Set<String> crowded = new TreeSet<>();
    private final Map<String, Integer> podCounts = new HashMap<>();
    private Fleet fleet;
    private boolean stale = true;

    public ClusterState(ScheduleSettings settings) {
        this.settings = settings;
        fleet = new Fleet(List.of(), Quotas.none(), settings);
    }

    // ---- what happened

    public void node(NodeFacts facts) {
        NodeFacts before = nodes.put(facts.name(), facts);
        if (before == null || !before.isLike(facts)) {
            stale = true;
        } else if (before.open() != facts.open()) {
            openOrClose(facts.name());
        }
    }

    public void nodeGone(String name) {
        stale |= nodes.remove(name) != null;
    }

    public void queue(QueueFacts facts) {
        QueueFacts before = queues.put(facts.queue().name(), facts);
        if (!facts.equals(before)) {
            stale = true;
        }
    }

    public void queueGone(String name) {
        stale |= queues.remove(name) != null;
    }

    /** A pod as it is now, whoever schedules it. */
    public void pod(PodFacts pod) {
        PodFacts before = pods.get(pod.uid());
        if (before != null
                && !before.version().equals(pod.version())
                && !BookKeeper.isNewer(pod.version(), before.version())) {
            return;
        }
        pods.put(pod.uid(), pod);
        if (pod.over()) {
            podGone(pod.uid());
        } else if (pod.isBound()) {
            waiting.remove(pod.uid(), fleet);
            hold(pod);
        }
    }

    /** It has ended, or is no more. */
    public void podGone(String uid) {
        waiting.remove(uid, fleet);
        for (Holding each : holdings.of(uid)) {
            each.there = false;
            each.ours = false;
            // Its line in the book is left out when the book is written next.
            each.inBook = false;
            end(each);
        }
        PodFacts pod = pods.get(uid);
        if (pod != null && !pod.over()) {
            pods.remove(uid);
        }
    }

    /** A pod that had ended is deleted. */
    public void forget(String uid) {
        podGone(uid);
        pods.remove(uid);
    }

    public void book(Book book) {
        Book before = books.put(book.node(), book);
        for (Entry each : book.entries().values()) {
            PodFacts pod = pods.get(each.uid());
            boolean over =
                    pod != null && (pod.over() || pod.isBound() && !pod.node().equals(book.node()));
            if (!over) {
                Holding holding = holdings.make(each.uid(), book.node());
                holding.inBook = true;
                if (!holding.there && !holding.ours) {
                    place(holding, each.placed());
                }
            }
        }
        if (before != null) {
            for (String uid : before.entries().keySet()) {
                Holding holding = holdings.get(uid, book.node());
                if (holding != null && !book.entries().containsKey(uid)) {
                    holding.inBook = false;
                    end(holding);
                }
            }
        }
    }

    /** A claim's devices, as somebody else allocated them; its uid stands for a pod's. */
    public void claim(String uid, String node, Placed placed) {
        Holding holding = holdings.make(uid, node);
        holding.there = true;
        place(holding, placed);
    }

    public void claimGone(String uid) {
        for (Holding each : holdings.of(uid)) {
            each.there = false;
            end(each);
        }
    }

    private void hold(PodFacts pod) {
        Holding holding = holdings.make(pod.uid(), pod.node());
        holding.there = true;
        holding.ours = false;
        if (!holding.counted) {
            holding.counted = true;
            podCounts.merge(pod.node(), 1, Integer::sum);
        }
        Placed placed = pod.placed();
        if (holding.tickets.isEmpty() || !Objects.equals(placed, holding.placed)) {
            place(holding, placed);
        }
        openOrClose(pod.node());
    }

    /** Enters it in the ledger, instead of what it had. */
    private void place(Holding holding, @Nullable Placed placed) {
        if (!holding.tickets.isEmpty() && Objects.equals(placed, holding.placed)) {
            return;
        }
        giveBack(holding);
        holding.placed = placed;
        if (!stale) {
            enter(holding);
        }
    }

    private void enter(Holding holding) {
        int node = fleet.number(holding.node);
        if (node < 0) {
            return;
        }
        boolean closed = fleet.cluster.isClosed(node);
        if (closed) {
            fleet.cluster.open(node);
        }
        PodFacts pod = pods.get(holding.uid);
        Entering entering = new Entering(fleet, node, pod, queueOf(pod));
        boolean entered = entering.enter(holding);
        if (!entered) {
            crowded.add(holding.node);
        }
        if (closed || !entered) {
            fleet.cluster.close(node);
        }
    }

    private void giveBack(Holding holding) {
        for (int each : List.copyOf(holding.tickets)) {
            if (holding.dispatched) {
                fleet.dispatcher.left(each);
            } else {
                fleet.ledger.leave(each);
            }
        }
        holding.tickets.clear();
    }

    private void end(Holding holding) {
        if (!holding.isOver()) {
            return;
        }
        boolean full = holding.tickets.isEmpty() && holding.placed != null;
        giveBack(holding);
        holdings.remove(holding);
        if (holding.counted) {
            podCounts.merge(holding.node, -1, Integer::sum);
        }
        // Somebody for whom there was no room may have it now.
        stale |= full || crowded.contains(holding.node);
        openOrClose(holding.node);
    }

    private void openOrClose(String name) {
        int node = fleet.number(name);
        NodeFacts facts = nodes.get(name);
        if (node < 0 || facts == null || stale) {
            return;
        }
        boolean open =
                facts.open()
                        && !crowded.contains(name)
                        && podCounts.getOrDefault(name, 0) < facts.pods();
        if (open == fleet.cluster.isClosed(node)) {
            if (open) {
                fleet.cluster.open(node);
            } else {
                fleet.cluster.close(node);
            }
        }
    }

    /** Makes the fleet anew if nodes or queues are not what they were. */
    public void settle() {
        if (!stale) {
            return;
        }
        List<Queue> all = new ArrayList<>(queues.values().stream().map(QueueFacts::queue).toList());
        if (!queues.containsKey("")) {
            all.add(Queue.unlimited(""));
        }
        fleet = new Fleet(nodes.values(), new Quotas(all), settings);
        stale = false;
        crowded.clear();
        for (Holding each : holdings.all()) {
            each.tickets.clear();
            enter(each);
        }
        nodes.keySet().forEach(this::openOrClose);
        waiting.submitAll(fleet, this::queueOf);
    }

    /** The queue in which a pod waits; that without a name where it has none. */
    String queueOf(@Nullable PodFacts pod) {
        if (pod == null) {
            return "";
        }
        String named = waiting.queue(pod.uid());
        QueueFacts queue = queues.get(named);
        if (queue != null && queue.takes(pod.namespace())) {
            return named;
        }
        return queues.values().stream()
                .filter(each -> each.namespaces().contains(pod.namespace()))
                .map(each -> each.queue().name())
                .findFirst()
                .orElse("");
    }

    // ---- pods that wait here

    /**
     * @return why it can never begin, in words; empty: it waits
     */
    public String await(PodFacts pod, PodWish wish, NodeChoice choice) {
        settle();
        QueueFacts named = queues.get(wish.queue());
        if (!wish.queue().isEmpty() && (named == null || !named.takes(pod.namespace()))) {
            return named == null
                    ? "there is no queue '" + wish.queue() + "'; there are " + queues.keySet()
                    : "queue '" + wish.queue() + "' is not for namespace " + pod.namespace();
        }
        pods.put(pod.uid(), pod);
        return waiting.add(pod, wish, choice, fleet, this::queueOf);
    }

    public boolean awaits(String uid) {
        return waiting.has(uid);
    }

    public int waitingCount() {
        return waiting.count();
    }

    /** Who begins and who leaves now. */
    public List<Outcome> decide(long now) {
        settle();
        List<Outcome> outcomes = new ArrayList<>();
        Map<String, Map<String, Decision.Start>> starts = new LinkedHashMap<>();
        for (Decision each : fleet.dispatcher.decide(now)) {
            switch (each) {
                case Decision.Start start ->
                        starts.computeIfAbsent(
                                        uidOf(start.job().name()), _ -> new LinkedHashMap<>())
                                .put(containerOf(start.job().name()), start);
                case Decision.Evict evict -> {
                    PodFacts victim = pods.get(uidOf(evict.job().name()));
                    if (victim != null) {
                        outcomes.add(new Outcome.Evict(victim, waiting.describe(evict.gang())));
                    }
                }
                case Decision.Spare _ -> {}
                case Decision.Move _ -> {}
                case Decision.GiveUp _ -> {}
            }
        }
        Map<String, List<Assignment>> gangs = new LinkedHashMap<>();
        starts.forEach((uid, containers) -> {
            Assignment one = begin(uid, containers);
            gangs.computeIfAbsent(waiting.gang(uid), _ -> new ArrayList<>()).add(one);
        });
        gangs.values().forEach(each -> outcomes.add(new Outcome.Begin(each)));
        return outcomes;
    }

    private static String uidOf(String job) {
        return job.substring(0, job.indexOf('/'));
    }

    private static String containerOf(String job) {
        return job.substring(job.indexOf('/') + 1);
    }

    private Assignment begin(String uid, Map<String, Decision.Start> containers) {
        Map<String, Given> given = new HashMap<>();
        int node = -1;
        List<Integer> tickets = new ArrayList<>();
        for (Map.Entry<String, Decision.Start> each : containers.entrySet()) {
            var place = each.getValue().place();
            node = place.node();
            tickets.add(place.ticket());
            given.put(
                    each.getKey(), waiting.given(uid, each.getKey(), fleet, node, place.devices()));
        }
        String name = fleet.facts(node).name();
        Holding holding = holdings.make(uid, name);
        holding.ours = true;
        giveBack(holding);
        holding.placed = new Placed(settings.name(), given);
        holding.dispatched = true;
        holding.tickets.addAll(tickets);
        return assignment(waiting.assigned(uid), waiting.isAliyun(uid), node, holding.placed);
    }

    /** Somebody else was faster, or it could not be bound: it waits again. */
    public void failed(String uid, String node) {
        Holding holding = holdings.get(uid, node);
        if (holding != null) {
            holding.ours = false;
            end(holding);
        }
        PodFacts pod = pods.get(uid);
        if (pod != null && (pod.isBound() || pod.over())) {
            waiting.remove(uid, fleet);
        } else {
            settle();
            waiting.again(uid, fleet, this::queueOf);
        }
    }

    /** It is elsewhere, or is no more: nobody waits for it here. */
    public void lost(String uid, String node) {
        waiting.remove(uid, fleet);
        Holding holding = holdings.get(uid, node);
        if (holding != null) {
            holding.ours = false;
            end(holding);
        }
    }

    /** Why it waits, in words. */
    public String explain(String uid) {
        settle();
        return waiting.explain(uid, fleet);
    }

    // ---- for others who choose the node; see NodeQuestions

    /** Takes room on a node that somebody else chose; nothing where there is none any more. */
    public Optional<Assignment> assign(PodFacts pod, PodWish wish, NodeChoice choice, String name) {
        settle();
        int node = fleet.number(name);
        if (node < 0 || wish.isEmpty()) {
            return Optional.empty();
        }
        pods.put(pod.uid(), pod);
        Map<String, Given> given = new HashMap<>();
        Holding holding = holdings.make(pod.uid(), name);
        giveBack(holding);
        List<Request> requests = waiting.requests(pod, wish, choice, fleet);
        for (int i = 0; i < requests.size(); i++) {
            Optional<Proposal> place = fleet.placer.proposeOn(node, requests.get(i));
            if (place.isEmpty()) {
                giveBack(holding);
                end(holding);
                return Optional.empty();
            }
            holding.dispatched = false;
            holding.tickets.add(fleet.ledger.enter(requests.get(i), node, place.get().devices()));
            given.put(
                    wish.containers().get(i).container(),
                    WaitingPods.given(
                            wish.containers().get(i), fleet, node, place.get().devices()));
        }
        holding.ours = true;
        holding.placed = new Placed(settings.name(), given);
        boolean aliyun = wish.containers().getFirst().family() == Family.ALIYUN;
        return Optional.of(assignment(pod, aliyun, node, holding.placed));
    }

    private Assignment assignment(PodFacts pod, boolean aliyun, int node, Placed placed) {
        NodeFacts facts = fleet.facts(node);
        Given first = placed.containers().values().iterator().next();
        String device =
                facts.devices().stream()
                        .filter(each -> aliyun && first.devices().contains(each.uuid()))
                        .map(each -> Integer.toString(each.index()))
                        .findFirst()
                        .orElse("");
        return new Assignment(pod, facts.name(), placed, device);
    }

    /** Of a node, as they are known; those that are well. */
    public List<Device> devices(String node) {
        NodeFacts facts = nodes.get(node);
        return facts == null ? List.of() : facts.devices();
    }

    public Map<String, NodeFacts> nodes() {
        return nodes;
    }

    public Optional<PodFacts> known(String uid) {
        return Optional.ofNullable(pods.get(uid));
    }

    public List<Book> books() {
        return List.copyOf(books.values());
    }

    /** Pods that have a part of a device. */
    public List<PodFacts> placedPods() {
        return pods.values().stream()
                .filter(each -> each.isBound() && !each.over() && !each.placement().isEmpty())
                .toList();
    }

    /** Whether its queue allows a pod so many thousandths more. */
    public boolean mayGrow(PodFacts pod, long thousandths) {
        settle();
        QueueFacts queue = queues.get(queueOf(pod));
        return queue == null
                || thousandths
                        <= queue.queue().limit()
                                - fleet.dispatcher.quotas().used(queue.queue().name());
    }

    /** As it is now. */
    Fleet fleet() {
        settle();
        return fleet;
    }

    WaitingPods waiting() {
        return waiting;
    }

    Holdings holdings() {
        return holdings;
    }

    Map<String, QueueFacts> queues() {
        return queues;
    }

    /** Whether nothing is on a node but what needs no device. */
    public boolean isIdle(String node) {
        return holdings.all().stream()
                .noneMatch(each -> each.node.equals(node) && each.placed != null);
    }

    /** Thousandths of all devices that are promised. */
    public long used() {
        return fleet.cluster.used();
    }

    public long capacity() {
        return fleet.cluster.capacity();
    }

    /** Compares the sums with all that is entered; for tests. */
    public void audit() {
        fleet.ledger.audit();
    }
}
