package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The pace at which programs come in. */
class ArrivalsTest {
    private static final int CORES = 2;
    private static final long INTERVAL = Arrivals.COST_NANOS * 8 / CORES;

    /** Near the largest number: the clock may begin anywhere. */
    private long now = Long.MAX_VALUE - 1_000_000;

    private final AtomicInteger all = new AtomicInteger();
    private final Arrivals slice = new Arrivals(all, CORES, now);
    private final Arrivals other = new Arrivals(all, CORES, now);

    @Test
    void whoIsAloneNeverWaits() {
        for (int i = 0; i < 10_000; i++) {
            assertEquals(0, slice.enter(now));
        }
    }

    @Test
    void aStormBesideAnotherSliceIsPaced() {
        other.enter(now);
        for (int i = 0; i < Arrivals.AT_ONCE; i++) {
            assertEquals(0, slice.enter(now), "number " + i);
        }
        long begin = now;
        for (int i = 0; i < 1000; i++) {
            now += slice.enter(now);
            slice.leave();
        }
        assertEquals(1000 * INTERVAL, now - begin);
        assertEquals(0, other.enter(now), "the other one's programs come as before");
    }

    @Test
    void whoWaitedLongMayComeAtOnceAgain() {
        other.enter(now);
        for (int i = 0; i < 2 * Arrivals.AT_ONCE; i++) {
            now += slice.enter(now);
        }
        assertTrue(slice.enter(now) > 0);
        now += (Arrivals.AT_ONCE + 1) * INTERVAL;
        for (int i = 0; i < Arrivals.AT_ONCE; i++) {
            assertEquals(0, slice.enter(now), "number " + i);
        }
        assertTrue(slice.enter(now) > 0, "but no more than that");
    }

    @Test
    void whenTheOthersHaveLeftNobodyWaits() {
        other.enter(now);
        for (int i = 0; i < Arrivals.AT_ONCE; i++) {
            slice.enter(now);
        }
        assertTrue(slice.enter(now) > 0);
        other.leave();
        assertEquals(0, slice.enter(now));
    }
}
