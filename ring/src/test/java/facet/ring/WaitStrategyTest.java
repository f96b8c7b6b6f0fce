package facet.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class WaitStrategyTest {
    /** Becomes ready when it was asked so often, or when it slept. */
    private static final class Scripted implements WaitStrategy.Wait {
        final List<String> events = new ArrayList<>();
        int looks;
        boolean readyAfterSleep;

        Scripted(int looks) {
            this.looks = looks;
        }

        @Override
        public boolean ready() {
            return looks-- <= 0;
        }

        @Override
        public void asleep(boolean asleep) {
            events.add(asleep ? "asleep" : "awake");
        }

        @Override
        public void sleep(long nanos) {
            events.add("sleep");
            if (readyAfterSleep) {
                looks = 0;
            }
        }
    }

    @Test
    void spinBoundFollowsWhatPaysOff() {
        Assumptions.assumeTrue(Runtime.getRuntime().availableProcessors() > 1);
        WaitStrategy waiting = new WaitStrategy();
        assertEquals(WaitStrategy.LEAST_SPIN, waiting.spinBound());
        for (int i = 0; i < 10; i++) {
            assertTrue(waiting.await(new Scripted(2), 0));
        }
        assertEquals(WaitStrategy.MOST_SPIN, waiting.spinBound());
        assertFalse(waiting.await(new Scripted(Integer.MAX_VALUE), 0));
        assertEquals(WaitStrategy.MOST_SPIN / 2, waiting.spinBound());
        for (int i = 0; i < 10; i++) {
            assertFalse(waiting.await(new Scripted(Integer.MAX_VALUE), 0));
        }
        assertEquals(WaitStrategy.LEAST_SPIN, waiting.spinBound());
    }

    @Test
    void whatIsThereCostsNothing() {
        Scripted ready = new Scripted(0);
        assertTrue(new WaitStrategy().await(ready, 0));
        assertEquals(List.of(), ready.events);
    }

    @Test
    void looksOnceMoreBeforeItSleeps() {
        Scripted ready = new Scripted(1);
        assertTrue(WaitStrategy.withoutSpinning().await(ready, 1000));
        assertEquals(List.of("asleep", "awake"), ready.events);
    }

    @Test
    void sleepsUntilReady() {
        Scripted later = new Scripted(Integer.MAX_VALUE);
        later.readyAfterSleep = true;
        assertTrue(WaitStrategy.withoutSpinning().await(later, Long.MAX_VALUE));
        assertEquals(List.of("asleep", "sleep", "asleep", "awake"), later.events);
    }
}
