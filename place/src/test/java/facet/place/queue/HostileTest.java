package facet.place.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import facet.place.Where;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a tenant may send who wants others to wait, or the books to be wrong. */
final class HostileTest {
    private static final Job.Stay FOR_EVER =
            new Job.Stay(Long.MAX_VALUE, Job.Leaving.RESTARTS, Long.MAX_VALUE);

    private static Dispatcher dispatcher(Rules rules, int nodes, Queue... queues) {
        List<Node> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(new Node("n" + i, "x", 8, Integer.MAX_VALUE, Integer.MAX_VALUE));
        }
        Placer placer =
                new Placer(
                        new Cluster(all, new Models()),
                        Policies.named(Policies.OURS),
                        List.of(),
                        1);
        return new Dispatcher(placer, new Quotas(List.of(queues)), rules);
    }

    private static Gang job(String name, String queue, int priority, Request request) {
        return Gang.of(new Job(name, request, queue, priority, FOR_EVER));
    }

    private static Request devices(int count, int cpu) {
        return new Request(count, 1000, Names.ANY, cpu, 0);
    }

    private static List<String> begun(List<Decision> decisions) {
        return decisions.stream()
                .filter(Decision.Start.class::isInstance)
                .map(each -> ((Decision.Start) each).job().name())
                .toList();
    }

    /** Each asks for something else, so that nothing that is known of one helps with the next. */
    private static void flood(Dispatcher dispatcher, String queue, int count) {
        for (int i = 0; i < count; i++) {
            dispatcher.submit(job("flood" + i, queue, 0, devices(8, 1 + i)), 1);
        }
    }

    @Test
    void aFloodDoesNotHoldUpOtherQueues() {
        Dispatcher dispatcher =
                dispatcher(Rules.PLAIN, 2, Queue.unlimited("bad"), Queue.unlimited("good"));
        dispatcher.submit(job("busy", "good", 0, devices(1, 1)), 0);
        dispatcher.submit(job("busy too", "good", 0, devices(8, 1)), 0);
        assertEquals(2, begun(dispatcher.decide(0)).size());
        flood(dispatcher, "bad", 4 * Pass.MOST_FAILURES);
        dispatcher.submit(job("small", "good", 0, devices(1, 1)), 2);
        assertEquals(List.of("small"), begun(dispatcher.decide(2)));
    }

    /** In the same queue it takes as many decisions as the flood is long, and no more. */
    @Test
    void whoeverIsBehindAFloodIsTried() {
        Dispatcher dispatcher = dispatcher(Rules.PLAIN, 2, Queue.unlimited(""));
        dispatcher.submit(job("busy", "", 0, devices(1, 1)), 0);
        dispatcher.submit(job("busy too", "", 0, devices(8, 1)), 0);
        dispatcher.decide(0);
        flood(dispatcher, "", 4 * Pass.MOST_FAILURES);
        dispatcher.submit(job("small", "", 0, devices(1, 1)), 2);
        List<String> begun = new ArrayList<>();
        for (int i = 0; i < 5 && begun.isEmpty(); i++) {
            begun.addAll(begun(dispatcher.decide(2 + i)));
        }
        assertEquals(List.of("small"), begun);
        dispatcher.ledger().audit();
    }

    @Test
    void noPriorityIsSoLowThatItComesFirst() {
        Dispatcher dispatcher = dispatcher(Rules.PLAIN, 1, Queue.unlimited(""));
        dispatcher.submit(job("low", "", Integer.MIN_VALUE, devices(8, 1)), 0);
        dispatcher.submit(job("usual", "", 0, devices(8, 1)), 0);
        dispatcher.submit(job("high", "", Integer.MAX_VALUE, devices(8, 1)), 0);
        assertEquals(List.of("high"), begun(dispatcher.decide(0)));
        assertEquals(
                List.of("usual", "low"), dispatcher.waiting("").stream().map(Gang::name).toList());
    }

    /** Also at the end of time: nobody is told to have left before it was told to leave. */
    @Test
    void aGraceForEverEndsNotBeforeItBegins() {
        for (long now : new long[] {0, 5, Long.MAX_VALUE - 1}) {
            Dispatcher dispatcher = dispatcher(Rules.ALL, 1, Queue.unlimited(""));
            dispatcher.submit(job("stays", "", Integer.MIN_VALUE, devices(8, 1)), now);
            dispatcher.decide(now);
            dispatcher.submit(job("urgent", "", Integer.MAX_VALUE, devices(8, 1)), now);
            List<Decision> decisions = dispatcher.decide(now);
            assertTrue(decisions.getFirst() instanceof Decision.Evict, decisions::toString);
            Decision.Evict evict = (Decision.Evict) decisions.getFirst();
            assertTrue(evict.deadline() >= now, evict::toString);
            assertTrue(evict.deadline() < Long.MAX_VALUE, evict::toString);
        }
    }

    @Test
    void gangsAreNotEndless() {
        Job job = new Job("j", devices(8, Integer.MAX_VALUE), "", 0, FOR_EVER);
        List<Job> most = Collections.nCopies(Gang.MOST_JOBS, job);
        Gang gang = new Gang("most", most, Long.MAX_VALUE - 1, Gang.Near.ANYWHERE);
        assertEquals(Gang.MOST_JOBS * 8000L, gang.demand());
        Dispatcher dispatcher = dispatcher(Rules.ALL, 3, Queue.unlimited(""));
        dispatcher.submit(gang, 0);
        assertEquals(List.of(), begun(dispatcher.decide(1)));
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new Gang(
                                "more",
                                Collections.nCopies(Gang.MOST_JOBS + 1, job),
                                1,
                                Gang.Near.ANYWHERE));
    }

    /** Sums of what nodes and devices have do not wrap around. */
    @Test
    void asMuchAsThereIsIsTakenOnce() {
        Dispatcher dispatcher = dispatcher(Rules.ALL, 1, new Queue("", 0, Long.MAX_VALUE));
        Request all = new Request(8, 1000, Names.ANY, Integer.MAX_VALUE, Integer.MAX_VALUE);
        Request one =
                new Request(1, new Share(1, 0, 1000, 1000), Where.ANYWHERE, Integer.MAX_VALUE, 1);
        dispatcher.submit(job("all", "", 0, all), 0);
        dispatcher.submit(job("one", "", 0, one), 0);
        assertEquals(List.of("all"), begun(dispatcher.decide(0)));
        dispatcher.ledger().audit();
        for (int count : new int[] {-1, 65, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> devices(count, 0));
        }
        for (int part : new int[] {-1, 1001, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> Share.compute(part));
            assertThrows(IllegalArgumentException.class, () -> new Share(1, 0, part, 0));
            assertThrows(IllegalArgumentException.class, () -> Share.burst(part));
        }
        assertThrows(IllegalArgumentException.class, () -> devices(1, -1));
        assertThrows(IllegalArgumentException.class, () -> new Share(1, Integer.MIN_VALUE, 0, 0));
    }
}
