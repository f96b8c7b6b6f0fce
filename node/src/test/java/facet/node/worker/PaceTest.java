package facet.node.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void whoSaysMuchAtOnceIsListenedTo() {
        Pace pace = new Pace();
        for (int i = 0; i < Pace.BURST; i++) {
            assertEquals(0, pace.enter(5));
        }
        assertTrue(pace.enter(5) > 0);
        assertEquals(0, pace.enter(5 + 2 * SECOND), "later it may again");
    }

    /** By a clock that passes the end of the numbers. */
    @Test
    void whoNeverStopsIsListenedToThousandTimesASecond() {
        Pace pace = new Pace();
        long begin = Long.MAX_VALUE - SECOND;
        long now = begin;
        for (int i = 0; i < 11_000; i++) {
            now += pace.enter(now);
        }
        assertEquals(10, (now - begin) / SECOND);
    }
}
