package facet.doors.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void aFloodIsAFewLines() {
        List<String> lines = new ArrayList<>();
        AtomicLong now = new AtomicLong(7);
        Failures failures = new Failures(lines::add, now::get);
        for (int i = 0; i < 1000; i++) {
            failures.add("192.0.2.9", "a wrong token");
        }
        assertEquals(5, lines.size());
        now.addAndGet(60_000_000_000L);
        failures.add("192.0.2.10", "no token");
        assertEquals("refused 192.0.2.10: no token; 995 more before", lines.getLast());
    }
}
