package facet.place.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.place.Cluster;
import facet.place.Gang;
import facet.place.Job;
import facet.place.Models;
import facet.place.Names;
import facet.place.Node;
import facet.place.Placer;
import facet.place.Policies;
import facet.place.Request;
import facet.place.Share;
import facet.place.Traits;
import facet.place.Trial;
import facet.place.Where;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What happens to requests in a test of events, and what must hold whatever happens. */
final class World {
    private static final List<String> QUEUES = List.of("a", "b", "c");

    /** What happens to a ticket then. */
    private record Due(long time, int ticket, long begin) {}

    final SplittableRandom random;
    final boolean exact;
    final Cluster cluster;
    final Dispatcher dispatcher;
    final Placer placer;
    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::time).thenComparingInt(Due::ticket));

    /** When the job of a ticket began there; tickets are used again. */
    final Map<Integer, Long> began = new HashMap<>();

    final Map<Integer, Long> ends = new HashMap<>();
    final Map<String, Long> since = new HashMap<>();
    final Map<Integer, Long> deadlines = new HashMap<>();
    final Map<String, Long> promises = new HashMap<>();
    final List<Integer> closed = new ArrayList<>();
    long now;
    long begins;
    int events;
    int names;
    int evicted;
    int spared;
    int moved;
    int gaveUp;
    int failures;
    int started;
    int kept;
    int needed;

    World(long seed, boolean exact, List<Queue> queues) {
        random = new SplittableRandom(seed);
        this.exact = exact;
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Traits traits =
                    Traits.NONE.withZone("z" + i % 3).withDeviceMemory(16_000).withIslandsOf(2);
            nodes.add(new Node("n" + i, "x", 1 << i % 4, 64_000, 256).with(traits));
        }
        cluster = new Cluster(nodes, new Models());
        placer = new Placer(cluster, Policies.named("facet"), List.of(), seed);
        dispatcher = new Dispatcher(placer, new Quotas(queues), Rules.ALL);
    }

    Request request() {
        int cpu = random.nextInt(1, 9) * 1000;
        return switch (random.nextInt(12)) {
            case 0 -> new Request(0, 0, Names.ANY, cpu, 4);
            case 1, 2 -> new Request(1, 1000, Names.ANY, cpu, 4);
            case 3 -> new Request(1 << random.nextInt(1, 4), 1000, Names.ANY, cpu, 4);
            case 4 -> new Request(2, random.nextInt(1, 10) * 100, Names.ANY, cpu, 4);
            case 5 ->
                    new Request(
                            1,
                            new Share(200, random.nextInt(1, 9) * 1000, 100, 100),
                            Where.ANYWHERE,
                            cpu,
                            4);
            default -> new Request(1, random.nextInt(1, 10) * 100, Names.ANY, cpu, 4);
        };
    }

    Gang gang(List<Queue> queues) {
        String queue = queues.get(random.nextInt(queues.size())).name();
        int priority = exact ? 0 : random.nextInt(3);
        int size = random.nextInt(6) == 0 ? random.nextInt(2, 6) : 1;
        String name = "g" + names++;
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            long expected =
                    exact || random.nextInt(3) > 0 ? 1 + random.nextInt(200) : Job.Stay.UNKNOWN;
            Job.Leaving[] ways = Job.Leaving.values();
            Job.Stay stay =
                    new Job.Stay(expected, ways[random.nextInt(ways.length)], random.nextInt(20));
            jobs.add(new Job(name + "." + i, request(), queue, priority, stay));
        }
        Gang.Near[] near = Gang.Near.values();
        long patience = !exact && random.nextInt(4) == 0 ? 300 : Gang.FOREVER;
        return new Gang(name, jobs, patience, near[random.nextInt(near.length)]);
    }

    void submit(Gang gang, long first) {
        try {
            dispatcher.submit(gang, first);
            since.put(gang.name(), first);
            sizes.put(gang.name(), gang.jobs().size());
        } catch (IllegalArgumentException e) {
            assertTrue(String.valueOf(e.getMessage()).contains(" asks for "), e.toString());
        }
    }

    void decide() {
        List<Decision> decisions = dispatcher.decide(now);
        Map<String, Integer> whole = new HashMap<>();
        for (Decision each : decisions) {
            switch (each) {
                case Decision.Start start -> {
                    started++;
                    begin(start.place().ticket(), start.job());
                    String gang = start.job().name().replaceFirst("\\..*", "");
                    whole.merge(gang, 1, Integer::sum);
                    Long promised = promises.remove(gang);
                    if (promised != null) {
                        kept++;
                        assertTrue(
                                !exact || now <= promised,
                                gang + " begins at " + now + ", promised for " + promised);
                    }
                }
                case Decision.Evict evict -> {
                    evicted++;
                    assertTrue(evict.job().stay().leaving() != Job.Leaving.NEVER, "may not leave");
                    assertTrue(evict.deadline() >= now + evict.job().stay().grace());
                    assertTrue(
                            deadlines.put(evict.ticket(), evict.deadline()) == null, "told twice");
                    due.add(
                            new Due(
                                    random.nextLong(now, evict.deadline() + 1),
                                    evict.ticket(),
                                    began(evict.ticket())));
                }
                case Decision.Spare spare -> {
                    spared++;
                    assertTrue(deadlines.remove(spare.ticket()) != null, "was never told");
                }
                case Decision.Move move -> {
                    moved++;
                    assertEquals(Job.Leaving.MOVES, move.job().stay().leaving());
                    long old = began(move.ticket());
                    // It runs as long as it would have run where it was.
                    began.put(move.to().ticket(), ++begins);
                    long end = ends.getOrDefault(move.ticket(), now);
                    ends.put(move.to().ticket(), end);
                    due.add(new Due(end, move.to().ticket(), begins));
                    began.put(move.ticket(), -old);
                    due.add(new Due(now + random.nextInt(5), move.ticket(), -old));
                }
                case Decision.GiveUp gone -> {
                    gaveUp++;
                    assertTrue(now - sinceOf(gone.gang().name()) >= gone.gang().patience());
                    promises.remove(gone.gang().name());
                }
            }
        }
        whole.forEach((gang, count) -> assertEquals(sizes.get(gang), count, gang));
        allAreNeeded(decisions);
    }

    /** Of those that leave for one request, none could have stayed. */
    void allAreNeeded(List<Decision> decisions) {
        Map<String, List<Integer>> victims = new HashMap<>();
        for (Decision each : decisions) {
            if (each instanceof Decision.Evict evict) {
                victims.computeIfAbsent(evict.gang(), name -> new ArrayList<>())
                        .add(evict.ticket());
            }
        }
        // Who began, moved or was spared in the same answer may have made room meanwhile.
        if (victims.size() != 1 || !decisions.stream().allMatch(Decision.Evict.class::isInstance)) {
            return;
        }
        String name = victims.keySet().iterator().next();
        Gang gang = waiting(name);
        if (gang == null || gang.jobs().size() != 1) {
            return;
        }
        Request request = gang.jobs().getFirst().request();
        List<Integer> told = victims.getOrDefault(name, List.of());
        Map<String, List<Integer>> units = new HashMap<>();
        for (int each : told) {
            String unit = dispatcher.ledger().job(each).name().replaceFirst("\\..*", "");
            units.computeIfAbsent(unit, other -> new ArrayList<>()).add(each);
        }
        // Who leaves for the limit of the queue need not be in the way.
        long use = dispatcher.quotas().used(gang.queue());
        Queue queue = dispatcher.quotas().queue(gang.queue());
        if (use + gang.demand() <= (gang.canLeave() ? queue.limit() : queue.quota())) {
            for (List<Integer> spared : units.values()) {
                List<Integer> others = new ArrayList<>(told);
                others.removeAll(spared);
                needed++;
                assertFalse(fits(name, request, others), "one could have stayed for " + name);
            }
        }
    }

    private @Nullable Gang waiting(String name) {
        for (String queue : QUEUES) {
            for (Gang each : dispatcher.waiting(queue)) {
                if (each.name().equals(name)) {
                    return each;
                }
            }
        }
        return null;
    }

    /** Beside what is kept for others. */
    private boolean fits(String name, Request request, List<Integer> gone) {
        Waiting one = dispatcher.state.byName.get(name);
        if (one == null) {
            throw new IllegalStateException(name + " does not wait");
        }
        try (Holds holds = new Holds(dispatcher.state);
                Trial trial = new Trial(dispatcher.ledger())) {
            holds.showTo(one, Job.Stay.UNKNOWN);
            gone.forEach(trial::without);
            return placer.propose(request).isPresent();
        }
    }

    final Map<String, Integer> sizes = new HashMap<>();

    long began(int ticket) {
        return began.getOrDefault(ticket, 0L);
    }

    long sinceOf(String gang) {
        return since.getOrDefault(gang, 0L);
    }

    void begin(int ticket, Job job) {
        began.put(ticket, ++begins);
        long ran =
                job.stay().expected() == Job.Stay.UNKNOWN
                        ? 1 + random.nextInt(300)
                        : exact
                                ? job.stay().expected()
                                : 1 + random.nextLong(job.stay().expected());
        ends.put(ticket, now + ran);
        due.add(new Due(now + ran, ticket, begins));
    }

    /** All that happens up to that time. */
    void passTo(long time) {
        while (!due.isEmpty() && due.peek().time() <= time) {
            now = due.peek().time();
            while (!due.isEmpty() && due.peek().time() == now) {
                Due next = due.remove();
                // A victim that was spared ends then all the same, by itself.
                if (began(next.ticket()) == next.begin()) {
                    leave(next.ticket());
                }
            }
            decide();
            check();
        }
        now = time;
    }

    void leave(int ticket) {
        events++;
        began.remove(ticket);
        deadlines.remove(ticket);
        dispatcher.left(ticket);
    }

    void fail() {
        failures++;
        int node = random.nextInt(cluster.nodes());
        if (closed.contains(node)) {
            return;
        }
        closed.add(node);
        Set<Integer> there = new HashSet<>(dispatcher.ledger().on(node));
        List<Dispatcher.Lost> lost = dispatcher.fail(node);
        there.forEach(each -> {
            began.remove(each);
            deadlines.remove(each);
        });
        // They begin anew, each by itself, where they waited first.
        for (Dispatcher.Lost each : lost) {
            Job old = each.job();
            String name = "r" + names++;
            Job again =
                    new Job(name + ".0", old.request(), old.queue(), old.priority(), old.stay());
            submit(new Gang(name, List.of(again), Gang.FOREVER, Gang.Near.ANYWHERE), each.since());
        }
        promises.clear();
    }

    void check() {
        dispatcher.ledger().audit();
        assertEquals(began.size(), dispatcher.ledger().count());
    }

    /** What is promised is never put off. */
    void promises(List<Queue> queues) {
        for (Queue queue : queues) {
            for (Gang each : dispatcher.waiting(queue.name())) {
                OptionalLong promised = dispatcher.promised(each.name());
                if (promised.isPresent()) {
                    long before = promises.getOrDefault(each.name(), Long.MAX_VALUE);
                    assertTrue(
                            !exact || promised.getAsLong() <= before,
                            each.name() + " was promised for " + before + ", now " + promised);
                    promises.put(each.name(), promised.getAsLong());
                }
            }
        }
    }
}
