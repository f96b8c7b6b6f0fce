package facet.node.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class PaceTest {
    private static final long TICK = 2_000_000;

    /** A slice that always has work spends a tick's time on each of its cores when it may run. */
    private static double shareOf(double rate, int cores) {
        Pace.Budget budget = new Pace.Budget(rate, 10_000_000);
        long spent = 0;
        boolean runs = true;
        for (int i = 0; i < 10_000; i++) {
            spent += runs ? cores * TICK : 0;
            runs = budget.mayRun(i * TICK, spent);
        }
        return spent / (10_000.0 * TICK * cores);
    }

    @Test
    void busySlicesGetTheirShare() {
        assertEquals(0.30, shareOf(0.30 * 2, 2), 0.002);
        assertEquals(0.70, shareOf(0.70 * 2, 2), 0.002);
        assertEquals(0.01, shareOf(0.01, 1), 0.002);
    }

    @Test
    void idleTimeIsSavedOnlyALittle() {
        Pace.Budget budget = new Pace.Budget(0.5, 10_000_000);
        assertTrue(budget.mayRun(0, 0));
        assertTrue(budget.mayRun(60_000_000_000L, 0));
        assertTrue(budget.mayRun(60_000_000_000L, 9_000_000));
        assertEquals(false, budget.mayRun(60_000_000_000L, 11_000_000));
    }

    @Test
    void aSessionThatEndsTakesNothingAway() {
        Pace.Budget budget = new Pace.Budget(0.5, 10_000_000);
        budget.mayRun(0, 100_000_000);
        assertTrue(budget.mayRun(TICK, 0));
        assertTrue(budget.mayRun(2 * TICK, 500_000));
    }
}
