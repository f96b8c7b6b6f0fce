package facet.kube.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.place.queue.Queue;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ClusterStateTest {
    private final ClusterState state = new ClusterState(ScheduleSettings.usual());

    private List<Assignment> decide() {
        List<Assignment> all = new ArrayList<>();
        for (Outcome each : state.decide(1_800_000_000_000L)) {
            if (each instanceof Outcome.Begin(List<Assignment> pods)) {
                all.addAll(pods);
            }
        }
        return all;
    }

    @Test
    void aPodGetsItsPartAndGivesItBack() {
        state.node(Samples.facts("n", 1));
        assertEquals("", Samples.await(state, Samples.pod("a", 4, 60)));
        Assignment one = decide().getFirst();
        assertEquals("n", one.node());
        assertEquals(
                new Given(List.of("n-0"), 4 * Samples.GIB, 600, 0, 0, 0, "fixed", 0),
                one.placed().containers().get("main"));
        state.pod(Samples.bound(one));
        assertEquals(600, state.used());
        Samples.await(state, Samples.pod("b", 4, 60));
        assertEquals(List.of(), decide());
        assertTrue(
                state.explain("uid-b").startsWith("fits nowhere: 1 device"),
                state.explain("uid-b"));
        state.forget("uid-a");
        assertEquals("uid-b", decide().getFirst().pod().uid());
        state.audit();
    }

    @Test
    void whatBooksOfOthersSayIsTaken() {
        state.node(Samples.facts("n", 1));
        Placed theirs =
                new Placed(
                        "other",
                        Map.of(
                                "c",
                                new Given(List.of("n-0"), Samples.GIB, 700, 0, 0, 0, "fixed", 0)));
        Book book = new Book("n", "5", Map.of("x", new Entry("x", "default", "x", "1", 0, theirs)));
        state.book(book);
        Samples.await(state, Samples.pod("a", 4, 60));
        assertEquals(List.of(), decide());
        state.book(new Book("n", "6", Map.of()));
        assertEquals(1, decide().size());
    }

    @Test
    void whatFailedWaitsAgain() {
        state.node(Samples.facts("n", 1));
        Samples.await(state, Samples.pod("a", 4, 60));
        Assignment one = decide().getFirst();
        state.failed(one.pod().uid(), one.node());
        assertEquals(0, state.used());
        assertEquals(1, decide().size());
    }

    @Test
    void nodesThatComeAndGoChangeNothingForThoseThatRun() {
        state.node(Samples.facts("n", 1));
        Samples.await(state, Samples.pod("a", 4, 60));
        Assignment one = decide().getFirst();
        state.node(Samples.facts("m", 2));
        Samples.await(state, Samples.pod("b", 4, 60));
        assertEquals("m", decide().getFirst().node());
        state.pod(Samples.bound(one));
        assertEquals(1200, state.used());
        state.nodeGone("m");
        state.settle();
        assertEquals(600, state.used());
        state.audit();
    }

    @Test
    void podsOfAGangBeginTogether() {
        state.node(Samples.facts("n", 2));
        for (int i = 0; i < 3; i++) {
            Pod pod = Samples.pod("g" + i, 1, 60);
            pod.getMetadata().setLabels(Map.of("facet.dev/gang", "g", "facet.dev/gang-size", "3"));
            Samples.await(state, pod);
            assertEquals(List.of(), decide());
        }
        assertTrue(
                state.explain("uid-g0").contains("all 3 of gang 'g' begin together"),
                state.explain("uid-g0"));
        state.node(Samples.facts("m", 1));
        assertEquals(3, decide().size());
    }

    @Test
    void queuesHoldTheirLimits() {
        state.node(Samples.facts("n", 2));
        state.queue(new QueueFacts(new Queue("q", 500, 500), Set.of("default")));
        Samples.await(state, Samples.pod("a", 1, 40));
        Samples.await(state, Samples.pod("b", 1, 40));
        assertEquals(1, decide().size());
        String never = Samples.await(state, Samples.pod("c", 1, 60));
        assertTrue(never.contains("queue 'q' has at most 500"), never);
    }

    @Test
    void whoHasMorePriorityTakesTheirPlace() {
        state.node(Samples.facts("n", 1));
        Samples.await(state, Samples.pod("low", 1, 80));
        state.pod(Samples.bound(decide().getFirst()));
        Pod high = Samples.pod("high", 1, 50);
        high.getSpec().setPriority(100);
        Samples.await(state, high);
        List<Outcome> outcomes = state.decide(1_800_000_000_000L);
        Outcome.Evict evict = (Outcome.Evict) outcomes.getFirst();
        assertEquals("default/low", evict.pod().path());
        assertEquals("default/high", evict.forWhom());
        state.forget("uid-low");
        assertEquals("uid-high", decide().getFirst().pod().uid());
    }

    @Test
    void podsSayWhichNodesTheyAccept() {
        NodeFacts plain = Samples.facts("plain", 1);
        var labelled = Samples.node("labelled", 1);
        labelled.getMetadata().setLabels(Map.of("disk", "fast"));
        state.node(plain);
        state.node(NodeFacts.of(labelled));
        Pod pod = Samples.pod("a", 1, 50);
        pod.getSpec().setNodeSelector(Map.of("disk", "fast"));
        Samples.await(state, pod);
        assertEquals("labelled", decide().getFirst().node());
        var tainted = Samples.node("plain", 1);
        tainted.getSpec()
                .setTaints(
                        List.of(
                                new io.fabric8.kubernetes.api.model.Taint(
                                        "NoSchedule", "k", null, "v")));
        state.node(NodeFacts.of(tainted));
        Samples.await(state, Samples.pod("b", 1, 60));
        assertEquals(List.of(), decide());
    }

    @Test
    void aNodeThatPromisedTooMuchTakesNothing() {
        state.node(Samples.facts("n", 1));
        Placed much =
                new Placed(
                        "x",
                        Map.of(
                                "c",
                                new Given(List.of("n-0"), Samples.GIB, 700, 0, 0, 0, "fixed", 0)));
        state.claim("one", "n", much);
        state.claim("two", "n", much);
        Samples.await(state, Samples.pod("a", 1, 10));
        assertEquals(List.of(), decide());
        state.claimGone("one");
        assertEquals(1, decide().size());
        assertEquals(800, state.used());
    }

    @Test
    void othersChooseTheNode() {
        state.node(Samples.facts("n", 1));
        state.node(Samples.facts("m", 1));
        Pod pod = Samples.pod("a", 4, 60);
        PodFacts facts = PodFacts.of(pod);
        NodeChoice choice = NodeChoice.of(pod.getSpec());
        assertTrue(state.assign(facts, Samples.wish(pod), choice, "n").isPresent());
        Pod other = Samples.pod("b", 4, 60);
        Map<String, String> lacks =
                new NodeQuestions(state)
                        .lacks(
                                PodFacts.of(other),
                                Samples.wish(other),
                                choice,
                                List.of("n", "m", "unknown"));
        assertFalse(lacks.getOrDefault("n", "").isEmpty());
        assertEquals("", lacks.get("m"));
        assertEquals("it is not known yet", lacks.get("unknown"));
        assertTrue(state.assign(PodFacts.of(other), Samples.wish(other), choice, "n").isEmpty());
    }
}
