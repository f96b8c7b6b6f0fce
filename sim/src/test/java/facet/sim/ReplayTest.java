package facet.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.place.Job;
import facet.place.Models;
import facet.place.Node;
import facet.place.Policies;
import facet.place.Policy;
import facet.place.Request;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReplayTest {
    private static final Policy POLICY = Policies.named("best-fit");

    private static Trace oneDevice(Task... tasks) {
        return new Trace(
                "one", new Models(), List.of(new Node("a", "x", 1, 9000, 9)), List.of(tasks));
    }

    private static Task task(String name, int thousandths, long arrives, long leaves) {
        return new Task(name, new Request(1, thousandths, Models.ANY, 1, 1), arrives, leaves);
    }

    @Test
    void whoFindsNoRoomWaitsAndRunsItsTime() {
        Trace trace =
                oneDevice(
                        task("a", 1000, 0, 100),
                        task("b", 600, 10, 50),
                        task("c", 600, 20, 30),
                        task("d", 400, 30, 31));
        Replay replay = Replay.run(trace, POLICY, 1);
        // a until 100; then b, for 40, and d beside it; c at 140.
        assertEquals(3, replay.waited());
        assertEquals((0 + 90 + 120 + 70) / 4.0, replay.waitMean());
        assertEquals(70, replay.waitMedian());
        assertEquals(0, replay.never());
        // All is asked for until 140: 101 s with all of it in use, 39 s with 600.
        assertEquals(100 * (101 + 39 * 0.6) / 140, replay.allocation(), 1e-9);
    }

    @Test
    void whatFitsNowhereNeverBegins() {
        Task large = new Task("b", new Request(2, 1000, Models.ANY, 1, 1), 0, 10);
        Replay replay = Replay.run(oneDevice(task("a", 10, 0, 5), large), POLICY, 1);
        assertEquals(1, replay.never());
        assertEquals(0, replay.waitMost99());
    }

    private static Task standing(Task task, int priority, String gang) {
        Standing standing = new Standing("", priority, gang, Job.Leaving.RESTARTS, 5);
        return new Task(task.name(), task.request(), task.arrives(), task.leaves(), standing);
    }

    @Test
    void whoHasToLeaveBeginsAnew() {
        Trace trace =
                oneDevice(
                        standing(task("low", 1000, 0, 100), 0, ""),
                        standing(task("high", 500, 10, 30), 1, ""));
        assertEquals(0, Replay.run(trace, POLICY, "plain", 1).preemptions());
        Replay replay = Replay.run(trace, POLICY, "preempt", 1);
        // low leaves at 15 after its grace, high runs until 35, low from there.
        assertEquals(1, replay.preemptions());
        assertEquals((5 + 20) / 2.0, replay.waitMean());
        assertEquals(100 * 15_000.0 / (15_000 + 10_000 + 100_000), replay.lost(), 1e-9);
    }

    @Test
    void gangBeginsAsAWholeAndRoomIsKeptForIt() {
        Trace trace =
                oneDevice(
                        standing(task("a", 600, 0, 100), 0, ""),
                        standing(task("g1", 500, 1, 11), 0, "g"),
                        standing(task("g2", 500, 2, 12), 0, "g"),
                        standing(task("long", 400, 3, 203), 0, ""),
                        standing(task("short", 400, 4, 14), 0, ""));
        // Without rules long is on the device when a leaves, and the gang waits for it too.
        assertEquals((202 + 201 + 96) / 5.0, Replay.run(trace, POLICY, "plain", 1).waitMean());
        // With them short goes ahead, and long does not: the gang at 100, long at 110.
        assertEquals((99 + 98 + 107) / 5.0, Replay.run(trace, POLICY, "reserve", 1).waitMean());
    }

    @Test
    void movesMakeRoom() {
        Standing moves = new Standing("", 0, "", Job.Leaving.MOVES, 0);
        Task mover = task("b", 400, 0, 1000);
        Trace trace =
                new Trace(
                        "two",
                        new Models(),
                        List.of(new Node("a", "x", 2, 9000, 9)),
                        List.of(
                                task("a", 700, 0, 50),
                                new Task("b", mover.request(), 0, 1000, moves),
                                task("c", 600, 60, 1000),
                                task("d", 1000, 61, 100)));
        Replay stays = Replay.run(trace, Policies.named("spreading"), "preempt", 1);
        Replay moved = Replay.run(trace, Policies.named("spreading"), "move", 1);
        assertEquals(0, stays.moves());
        assertEquals(939, stays.waits().getLast());
        assertEquals(1, moved.moves());
        assertEquals(10, moved.waits().getLast());
    }

    @Test
    void crowdedClusterMakesTasksWaitAndBooksAddUp() {
        Trace trace = SampleTrace.draw(900, 3);
        Trace crowded = Crowding.of(trace, 1.3, 42);
        double ratio = (double) Crowding.peak(trace) / crowded.cluster().capacity();
        assertTrue(ratio >= 1.3 && ratio < 1.6, "the crowd asks for " + ratio);
        for (String each : Policies.NAMES) {
            Replay replay = Replay.run(crowded, Policies.named(each), 42);
            assertTrue(replay.waited() > 0, each);
            assertTrue(replay.allocation() > 50 && replay.allocation() <= 100, each);
            assertEquals(replay, Replay.run(crowded, Policies.named(each), 42));
            for (String rules : RuleSets.NAMES) {
                Replay other = Replay.run(crowded, Policies.named(each), rules, 42);
                assertEquals(replay.never(), other.never(), each + ", " + rules);
            }
        }
    }

    @Test
    void whatRanOnANodeThatFailsBeginsAnew() {
        Trace sample = SampleTrace.draw(400, 5);
        long first = sample.tasks().stream().mapToLong(Task::arrives).min().orElse(0);
        long last = sample.tasks().stream().mapToLong(Task::arrives).max().orElse(0);
        Failures often = new Failures(Math.max(1, (last - first) / 3), 100);
        Trace crowded = Crowding.of(sample, 1.3, 1);
        for (String rules : RuleSets.NAMES) {
            Replay calm = Replay.run(crowded, POLICY, rules, 1);
            Replay rough = Replay.run(crowded, POLICY, rules, often, 1);
            assertEquals(0, calm.failures());
            assertTrue(rough.failures() > 0, rules);
            assertTrue(rough.lost() > calm.lost(), rules);
            assertEquals(calm.never(), rough.never(), rules + ": all nodes come back");
            assertEquals(rough, Replay.run(crowded, POLICY, rules, often, 1), rules);
        }
    }

    /**
     * One device fails at a time that only the seed knows: the task begins again when it is back.
     */
    @Test
    void aTaskOutlivesItsNode() {
        Trace trace = oneDevice(task("a", 1000, 0, 1000), task("b", 10, 5000, 5001));
        Failures failures = new Failures(400, 50);
        Replay replay = Replay.run(trace, POLICY, "plain", failures, 3);
        long down = failures.of(trace, 3).stream().filter(Failures.Change::fails).count();
        assertEquals(down, replay.failures());
        assertTrue(down > 1, "seed 3 has several");
        assertEquals(0, replay.never());
        assertTrue(replay.lost() > 0);
    }

    /** A gang that loses one member loses all of them, and begins anew together. */
    @Test
    void aGangFailsAsAWhole() {
        List<Node> nodes = List.of(new Node("a", "x", 1, 9000, 9), new Node("b", "x", 1, 9000, 9));
        Trace trace =
                new Trace(
                        "two",
                        new Models(),
                        nodes,
                        List.of(
                                standing(task("m", 1000, 0, 1000), 0, "g"),
                                standing(task("n", 1000, 0, 1000), 0, "g"),
                                task("late", 1, 6000, 6001)));
        for (long seed = 1; seed <= 20; seed++) {
            Replay replay = Replay.run(trace, POLICY, "plain", new Failures(800, 60), seed);
            assertEquals(0, replay.never(), "seed " + seed);
        }
    }
}
