package facet.os;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class TimeSliceTest {
    @Test
    void theSystemTakesIt() {
        assertTrue(TimeSliceUnsafe.ask(200_000));
        assertTrue(TimeSliceUnsafe.ask(3_000_000));
    }
}
