package facet.node.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Log log =
            new Log(new PrintStream(bytes, true, StandardCharsets.UTF_8), Log.Level.DEBUG);

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void whoSaysTooMuchIsCutShort() {
        AtomicLong clock = new AtomicLong();
        Log limited = log.limited(clock::get);
        for (int i = 0; i < 100_000; i++) {
            limited.info("slice one", "fault " + i);
        }
        assertEquals(100, lines().size());
        log.info("slice two", "has its own measure");
        limited.debug("slice one", "is not counted");
        assertEquals(102, lines().size());
        clock.addAndGet(1_500_000_000);
        limited.info("slice one", "again");
        limited.info("slice one", "too early");
        assertEquals(104, lines().size());
        assertTrue(lines().get(102).endsWith("99900 lines were too many and are left out"));
        assertTrue(lines().get(103).endsWith("[slice one] again"), lines().get(103));
        clock.addAndGet(600_000_000_000L);
        for (int i = 0; i < 1000; i++) {
            limited.warning("slice one", "once more");
        }
        assertEquals(205, lines().size(), "a quiet time gives a hundred lines, not more");
    }

    @Test
    void aLineHasAnEndAndStaysOne() {
        log.info("x", "a\nb" + "c".repeat(1 << 20));
        assertEquals(1, lines().size());
        assertTrue(lines().getFirst().length() < 2100);
    }
}
