package facet.os;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnTimeTest {
    private static final long MILLISECOND = 1_000_000;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final OwnTime own = new OwnTime();

    private void look(int times, long elapsed, long processor, boolean ready) {
        for (int i = 0; i < times; i++) {
            own.add(elapsed * MILLISECOND, processor * MILLISECOND, ready);
        }
    }

    @Test
    void oneThatSpinsHasItsSecondAfterASecond() {
        look(9, 100, 100, true);
        assertFalse(own.isOver(SECOND));
        look(1, 100, 100, true);
        assertTrue(own.isOver(SECOND));
    }

    /** Two kernels at once are not twice as long. */
    @Test
    void severalProcessorsCountOnce() {
        look(9, 100, 200, true);
        assertFalse(own.isOver(SECOND));
    }

    @Test
    void oneThatSleepsThoughNothingHindersItHasItsSecondAfterASecond() {
        look(10, 100, 0, false);
        assertTrue(own.isOver(SECOND));
    }

    @Test
    void oneThatOthersKeepFromTheProcessorsHasTime() {
        look(90, 100, 10, true);
        assertFalse(own.isOver(SECOND), "nine seconds, of which it had nine tenths of one");
        look(10, 100, 10, true);
        assertTrue(own.isOver(SECOND));
    }

    /** The daemon may be kept from looking, or the machine be suspended. */
    @Test
    void whatNobodySawIsNotCounted() {
        look(4, 60_000, 0, false);
        assertFalse(own.isOver(SECOND));
    }
}
