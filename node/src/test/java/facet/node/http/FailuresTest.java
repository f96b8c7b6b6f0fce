package facet.node.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.node.log.Log;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void aFloodIsAFewLines() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        AtomicLong now = new AtomicLong(7);
        Failures failures =
                new Failures(
                        new Log(
                                new PrintStream(bytes, true, StandardCharsets.UTF_8),
                                Log.Level.INFO),
                        now::get);
        for (int i = 0; i < 1000; i++) {
            failures.add("192.0.2.9", "a wrong token");
        }
        String log = bytes.toString(StandardCharsets.UTF_8);
        assertEquals(5, log.lines().count(), log);
        now.addAndGet(60_000_000_000L);
        failures.add("192.0.2.10", "no token");
        String last = bytes.toString(StandardCharsets.UTF_8).substring(log.length());
        assertTrue(last.contains("refused 192.0.2.10: no token; 995 more before"), last);
    }
}
