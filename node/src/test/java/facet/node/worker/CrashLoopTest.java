package facet.node.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CrashLoopTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void someDeathsAreFineManyInAMinuteAreNot() {
        CrashLoop loop = new CrashLoop();
        for (int i = 1; i < CrashLoop.MOST; i++) {
            loop.died(i * SECOND);
            assertEquals(Optional.empty(), loop.pause(i * SECOND));
        }
        loop.died(5 * SECOND);
        assertEquals(Optional.of(Duration.ofSeconds(56)), loop.pause(5 * SECOND));
        assertEquals(Optional.of(Duration.ofNanos(1)), loop.pause(61 * SECOND - 1));
        assertEquals(Optional.empty(), loop.pause(61 * SECOND));
        loop.died(61 * SECOND);
        assertEquals(Optional.of(Duration.ofSeconds(1)), loop.pause(61 * SECOND));
    }

    @Test
    void theClockMayBeNegative() {
        CrashLoop loop = new CrashLoop();
        for (int i = 0; i < CrashLoop.MOST; i++) {
            loop.died(-SECOND);
        }
        assertEquals(Optional.of(CrashLoop.WINDOW), loop.pause(-SECOND));
    }
}
