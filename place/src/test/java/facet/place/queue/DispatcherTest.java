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
import facet.place.Traits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class DispatcherTest {
    private final Map<String, Integer> tickets = new HashMap<>();

    private static Dispatcher dispatcher(Rules rules, List<Node> nodes, Queue... queues) {
        Cluster cluster = new Cluster(nodes, new Models());
        Placer placer = new Placer(cluster, Policies.named("best-fit"), List.of(), 1);
        return new Dispatcher(placer, new Quotas(List.of(queues)), rules);
    }

    private static List<Node> nodes(int count, int devices) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(new Node("n" + i, "x", devices, 100_000, 100_000));
        }
        return nodes;
    }

    private static Request part(int thousandths) {
        return new Request(1, thousandths, Names.ANY, 100, 1);
    }

    private static Job.Stay stay(long expected) {
        return new Job.Stay(expected, Job.Leaving.RESTARTS, 10);
    }

    private static Gang one(String name, String queue, int priority, int thousandths) {
        return Gang.of(new Job(name, part(thousandths), queue, priority, stay(Job.Stay.UNKNOWN)));
    }

    private static Gang lasting(String name, int thousandths, long expected) {
        return Gang.of(new Job(name, part(thousandths), "q", 0, stay(expected)));
    }

    /** Short words for decisions, and tickets by the names of jobs. */
    private List<String> words(List<Decision> decisions) {
        return decisions.stream()
                .map(each ->
                        switch (each) {
                            case Decision.Start start -> {
                                tickets.put(start.job().name(), start.place().ticket());
                                yield "start " + start.job().name();
                            }
                            case Decision.Evict evict ->
                                    "evict "
                                            + evict.job().name()
                                            + " by "
                                            + evict.deadline()
                                            + " for "
                                            + evict.gang();
                            case Decision.Spare spare -> "spare " + spare.job().name();
                            case Decision.Move move -> {
                                tickets.put(move.job().name(), move.to().ticket());
                                yield "move " + move.job().name() + " for " + move.gang();
                            }
                            case Decision.GiveUp gone -> "give up " + gone.gang().name();
                        })
                .toList();
    }

    private int ticket(String name) {
        return tickets.getOrDefault(name, -1);
    }

    private List<String> submit(Dispatcher dispatcher, long now, Gang... gangs) {
        for (Gang each : gangs) {
            dispatcher.submit(each, now);
        }
        List<String> words = words(dispatcher.decide(now));
        dispatcher.ledger().audit();
        return words;
    }

    /** One that waits for long, as nobody leaves for it, does not keep others from preempting. */
    @Test
    void othersLeaveForThoseBehindTheFirst() {
        Dispatcher all = dispatcher(Rules.ALL, nodes(2, 2), Queue.unlimited("q"));
        Job.Stay put = new Job.Stay(1000, Job.Leaving.NEVER, 0);
        Gang stays = Gang.of(new Job("stays", part(1000), "q", 2, put));
        Gang stays2 = Gang.of(new Job("stays2", part(1000), "q", 2, put));
        assertEquals(
                List.of("start stays", "start low1", "start stays2", "start low2"),
                List.of(
                        submit(all, 0, stays).getFirst(),
                        submit(all, 0, lasting("low1", 1000, 500)).getFirst(),
                        submit(all, 0, stays2).getFirst(),
                        submit(all, 0, lasting("low2", 1000, 500)).getFirst()));
        Request both = new Request(2, 1000, Names.ANY, 100, 1);
        Gang large = Gang.of(new Job("large", both, "q", 2, put));
        assertEquals(List.of(), submit(all, 1, large));
        assertEquals(OptionalLong.of(1000), all.promised("large"));
        Gang urgent = Gang.of(new Job("urgent", part(1000), "q", 2, put));
        List<String> words = submit(all, 2, urgent);
        // The large one waits for one of them; the other one leaves.
        assertEquals(1, words.size(), words.toString());
        assertTrue(words.getFirst().endsWith(" by 12 for urgent"), words.toString());
        assertEquals(OptionalLong.of(1000), all.promised("large"));
    }

    @Test
    void queueBorrowsAndGivesBack() {
        Dispatcher all =
                dispatcher(
                        Rules.ALL,
                        nodes(1, 2),
                        new Queue("a", 1000, 2000),
                        new Queue("b", 1000, 2000));
        assertEquals(
                List.of("start a1", "start a2"),
                submit(all, 0, one("a1", "a", 5, 1000), one("a2", "a", 5, 1000)));
        // b wants what is its own, though it has less priority: what a borrowed goes.
        assertEquals(List.of("evict a2 by 15 for b1"), submit(all, 5, one("b1", "b", 0, 1000)));
        // And not more than that.
        assertEquals(List.of(), submit(all, 6, one("b2", "b", 0, 1000)));
        all.left(ticket("a2"));
        assertEquals(List.of("start b1"), words(all.decide(15)));
        assertEquals(1000, all.quotas().used("a"));
        assertEquals(List.of(), words(all.decide(16)));
    }

    @Test
    void whoCannotLeaveMayNotBorrow() {
        Dispatcher all = dispatcher(Rules.ALL, nodes(1, 2), new Queue("a", 1000, 2000));
        Gang stays = Gang.of(new Job("s", part(1000), "a", 0, Job.Stay.PUT));
        Gang more = Gang.of(new Job("t", part(1000), "a", 0, Job.Stay.PUT));
        assertEquals(List.of("start s"), submit(all, 0, stays, more));
    }

    @Test
    void limitIsKeptByThoseOfLessPriority() {
        Dispatcher all = dispatcher(Rules.ALL, nodes(1, 4), new Queue("a", 1000, 2000));
        submit(all, 0, one("low", "a", 0, 1000), one("mid", "a", 1, 1000));
        assertEquals(
                List.of("evict low by 12 for high"), submit(all, 2, one("high", "a", 2, 1000)));
        assertEquals(List.of(), words(all.decide(3)), "it leaves once");
        all.left(ticket("low"));
        assertEquals(List.of("start high"), words(all.decide(4)));
    }

    @Test
    void fractionsMakeWayOnOneDevice() {
        Dispatcher all = dispatcher(Rules.ALL, nodes(1, 2), Queue.unlimited("q"));
        submit(
                all,
                0,
                one("a", "q", 0, 500),
                one("b", "q", 0, 500),
                one("c", "q", 0, 700),
                one("d", "q", 0, 300));
        // 600 on one device: c alone is 700 of work, a and b together 1000, a alone is not enough.
        assertEquals(List.of("evict c by 20 for p"), submit(all, 10, one("p", "q", 1, 600)));
        // Nobody else gets what is freed for it.
        all.left(ticket("c"));
        assertEquals(List.of("start p", "start small"), submit(all, 11, one("small", "q", 0, 100)));
        assertEquals(List.of(), submit(all, 12, one("more", "q", 0, 100)));
    }

    @Test
    void nobodyLeavesForWhatDoesNotFitThen() {
        Dispatcher all = dispatcher(Rules.ALL, nodes(1, 2), Queue.unlimited("q"));
        Gang stays = Gang.of(new Job("s", part(500), "q", 0, Job.Stay.PUT));
        submit(all, 0, stays, one("a", "q", 0, 500), one("b", "q", 0, 1000));
        Job whole = new Job("w", new Request(2, 1000, Names.ANY, 0, 0), "q", 9, stay(5));
        assertEquals(List.of(), submit(all, 1, Gang.of(whole)));
        // Nor for a gang of which one fits and the other does not.
        List<Job> two =
                List.of(
                        new Job("g1", part(1000), "q", 9, stay(5)),
                        new Job("g2", part(900), "q", 9, stay(5)));
        assertEquals(
                List.of(), submit(all, 2, new Gang("g", two, Gang.FOREVER, Gang.Near.ANYWHERE)));
    }

    @Test
    void whoIsNoLongerNeededToLeaveIsSpared() {
        Dispatcher all = dispatcher(Rules.ALL, nodes(2, 1), Queue.unlimited("q"));
        submit(all, 0, one("a", "q", 0, 1000), one("b", "q", 1, 1000));
        assertEquals(List.of("evict a by 11 for p"), submit(all, 1, one("p", "q", 2, 1000)));
        all.left(ticket("b"));
        assertEquals(List.of("start p", "spare a"), words(all.decide(2)));
        assertEquals(List.of("evict a by 13 for r"), submit(all, 3, one("r", "q", 2, 1000)));
        assertEquals(List.of("spare a"), words(all.withdraw("r")));
        assertEquals(List.of(), words(all.decide(4)));
    }

    @Test
    void gangBeginsAsAWholeAndGivesUpAsAWhole() {
        Dispatcher all = dispatcher(Rules.ALL, nodes(2, 1), Queue.unlimited("q"));
        submit(all, 0, lasting("a", 1000, 1000));
        List<Job> two =
                List.of(
                        new Job("g1", part(1000), "q", 0, stay(5)),
                        new Job("g2", part(1000), "q", 0, stay(5)));
        Gang gang = new Gang("g", two, 50, Gang.Near.ANYWHERE);
        assertEquals(List.of(), submit(all, 1, gang));
        assertEquals(OptionalLong.of(1000), all.promised("g"));
        // One that is gone before goes ahead; one that is not, does not.
        assertEquals(
                List.of("start short"),
                submit(all, 2, lasting("long", 1000, 2000), lasting("short", 1000, 20)));
        all.left(ticket("short"));
        assertEquals(List.of(), words(all.decide(22)));
        assertEquals(List.of("give up g", "start long"), words(all.decide(51)));
    }

    @Test
    void gangIsNearWhereItMustBe() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            nodes.add(nodes(1, 2).getFirst().with(Traits.NONE.withZone("z" + i / 2)));
        }
        Dispatcher all = dispatcher(Rules.ALL, nodes, Queue.unlimited("q"));
        submit(all, 0, one("a", "q", 0, 1000));
        List<Job> three = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            three.add(new Job("g" + i, part(1000), "q", 0, stay(5)));
        }
        assertEquals(List.of(), submit(all, 1, new Gang("n", three, Gang.FOREVER, Gang.Near.NODE)));
        all.withdraw("n");
        List<Decision> decisions = new ArrayList<>();
        all.submit(new Gang("z", three, Gang.FOREVER, Gang.Near.ZONE), 2);
        decisions.addAll(all.decide(2));
        assertEquals(3, decisions.size());
        long zones =
                decisions.stream()
                        .map(each -> ((Decision.Start) each).place().node() / 2)
                        .distinct()
                        .count();
        assertEquals(1, zones);
    }

    @Test
    void runningGangLeavesAsAWhole() {
        Dispatcher all = dispatcher(Rules.ALL, nodes(2, 1), Queue.unlimited("q"));
        List<Job> two =
                List.of(
                        new Job("g1", part(1000), "q", 0, stay(5)),
                        new Job("g2", part(1000), "q", 0, stay(5)));
        submit(all, 0, new Gang("g", two, Gang.FOREVER, Gang.Near.ANYWHERE));
        assertEquals(
                List.of("evict g1 by 11 for p", "evict g2 by 11 for p"),
                submit(all, 1, one("p", "q", 1, 500)));
    }

    @Test
    void movesMakeRoomOnlyWhereJobsCanMove() {
        Rules rules = new Rules(true, false, 2, Rules.LostWork.COUNTED);
        Dispatcher all = dispatcher(rules, nodes(1, 2), Queue.unlimited("q"));
        Job.Stay moves = new Job.Stay(Job.Stay.UNKNOWN, Job.Leaving.MOVES, 0);
        submit(all, 0, one("a", "q", 0, 600), one("b", "q", 0, 600));
        // Two halves of two devices: neither a nor b can move, and a whole one waits.
        assertEquals(List.of(), submit(all, 1, one("w", "q", 0, 1000)));
        all.withdraw("w");
        all.left(ticket("b"));
        submit(all, 2, Gang.of(new Job("m", part(400), "q", 0, moves)));
        all.left(ticket("a"));
        submit(all, 3, one("c", "q", 0, 600));
        // Whatever is where: m goes beside c, and the device that it leaves is whole.
        int before = ticket("m");
        List<String> said = submit(all, 4, one("x", "q", 0, 1000));
        if (said.equals(List.of("move m for x"))) {
            all.left(before);
            said = words(all.decide(5));
        }
        assertEquals(List.of("start x"), said);
        assertEquals(2000, all.ledger().cluster().used());
    }

    @Test
    void undoneGangWaitsWhereItWaited() {
        Dispatcher all = dispatcher(Rules.ALL, nodes(1, 1), Queue.unlimited("q"));
        submit(all, 0, one("a", "q", 0, 1000), one("b", "q", 0, 1000));
        all.undo(ticket("a"));
        assertEquals(List.of("start a"), words(all.decide(1)), "a came first");
        assertThrows(IllegalArgumentException.class, () -> all.undo(77));
        assertThrows(IllegalArgumentException.class, () -> all.left(77));
        assertThrows(IllegalArgumentException.class, () -> all.submit(one("b", "q", 0, 1), 2));
        assertThrows(IllegalArgumentException.class, () -> all.submit(one("c", "?", 0, 1), 2));
    }

    @Test
    void failedNodeLosesItsJobsAndTakesNone() {
        Dispatcher all = dispatcher(Rules.ALL, nodes(2, 1), Queue.unlimited("q"));
        submit(all, 0, one("a", "q", 0, 1000), one("b", "q", 0, 1000), one("c", "q", 0, 1000));
        int node = all.ledger().node(ticket("a"));
        List<Dispatcher.Lost> lost = all.fail(node);
        assertEquals(List.of("a"), lost.stream().map(each -> each.job().name()).toList());
        assertEquals(List.of(), words(all.decide(1)));
        all.submit(Gang.of(lost.getFirst().job()), lost.getFirst().since());
        all.ledger().cluster().open(node);
        // a came together with c, and waits behind it only by the order of coming back.
        assertEquals(1, words(all.decide(2)).size());
        assertTrue(all.ledger().count() == 2);
    }
}
