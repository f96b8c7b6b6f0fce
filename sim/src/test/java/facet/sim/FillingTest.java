package facet.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.place.Policies;
import facet.place.Request;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FillingTest {
    private static final Trace TRACE = SampleTrace.draw(250, 1);

    private static double allocation(String policy) {
        return Seeds.parse("42-51").stream()
                .mapToDouble(
                        seed -> Filling.run(TRACE, Policies.named(policy), 1.3, seed).allocation())
                .average()
                .orElseThrow();
    }

    @Test
    void arrivalsAskForAsMuchAsIsSaid() {
        long capacity = TRACE.cluster().capacity();
        for (double ratio : new double[] {0.3, 1, 1.3}) {
            List<Request> drawn = Arrivals.draw(TRACE, ratio, 42);
            long demand = drawn.stream().mapToLong(Request::demand).sum();
            assertEquals(ratio, (double) demand / capacity, 0.03);
        }
    }

    @Test
    void whatIsDrawnBeginsWithAllTasks() {
        List<Request> drawn = Arrivals.draw(TRACE, 1.3, 42);
        int tasks = TRACE.tasks().size();
        assertTrue(drawn.size() > tasks, "nothing was drawn again");
        assertEquals(
                TRACE.requests().stream().map(Request::toString).sorted().toList(),
                drawn.subList(0, tasks).stream().map(Request::toString).sorted().toList());
        assertNotEquals(TRACE.requests(), drawn.subList(0, tasks));
    }

    @Test
    void sameSeedSameResult() {
        for (String each : Policies.NAMES) {
            Filling first = Filling.run(TRACE, Policies.named(each), 1.3, 42);
            assertEquals(first, Filling.run(TRACE, Policies.named(each), 1.3, 42));
            assertNotEquals(first, Filling.run(TRACE, Policies.named(each), 1.3, 43));
        }
    }

    @Test
    void curveBeginsWithAllThatArrives() {
        Filling filling = Filling.run(TRACE, Policies.named("fgd"), 1.3, 42);
        assertEquals(131, filling.curve().size());
        assertEquals(filling.allocation(), filling.curve().getLast());
        assertEquals(50, filling.curve().get(50), 2);
        assertTrue(filling.placed() < filling.arrived(), "the cluster was never full");
    }

    @Test
    void policiesThatLookAheadAllocateMore() {
        double random = allocation("random");
        double fgd = allocation("fgd");
        double ours = allocation("facet");
        assertTrue(fgd > random + 1, fgd + " after " + random);
        assertTrue(ours > random + 1, ours + " after " + random);
        assertTrue(allocation("best-fit") > random, "best fit is worse than chance");
    }
}
