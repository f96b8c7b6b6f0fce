package facet.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
        }
    }
}
