package facet.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
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
    void aLineForTheJournalBeginsWithItsPriority() {
        Log journal =
                new Log(
                        new PrintStream(bytes, true, StandardCharsets.UTF_8),
                        Log.Level.DEBUG,
                        Format.of("journal"));
        journal.error("http", "no\nroom");
        journal.warning("http", "late");
        journal.say(Log.Level.INFO, Who.slice("train"), "slice-created", "memory 4GiB");
        journal.debug("http", "closer");
        assertEquals(
                List.of(
                        "<3>[http] no room",
                        "<4>[http] late",
                        "<6>[slice train] slice-created: memory 4GiB",
                        "<7>[http] closer"),
                lines());
    }

    @Test
    void aLineForProgramsIsAnObject() throws IOException {
        Log json =
                new Log(
                        new PrintStream(bytes, true, StandardCharsets.UTF_8),
                        Log.Level.INFO,
                        Format.JSON);
        json.info("http", "listens");
        json.warning(Who.session(7, "a \"b\"\n", "train"), "fell\nover \u001b[31m");
        json.say(Log.Level.INFO, Who.slice("train"), "slice-created", "memory 4GiB");
        json.debug("http", "too much");
        assertEquals(3, lines().size());
        List<String> without = new ArrayList<>();
        for (String each : lines()) {
            ObjectNode line = (ObjectNode) new ObjectMapper().readTree(each);
            assertTrue(Instant.parse(line.remove("time").asText()).isAfter(Instant.EPOCH), each);
            without.add(line.toString());
        }
        assertEquals(
                List.of(
                        "{\"level\":\"info\",\"part\":\"http\",\"text\":\"listens\"}",
                        "{\"level\":\"warning\",\"slice\":\"train\",\"session\":7,"
                                + "\"program\":\"a \\\"b\\\" \",\"text\":\"fell over  [31m\"}",
                        "{\"level\":\"info\",\"slice\":\"train\","
                                + "\"event\":\"slice-created\",\"text\":\"memory 4GiB\"}"),
                without);
    }

    @Test
    void aLineHasAnEndAndStaysOne() {
        log.info("x", "a\nb" + "c".repeat(1 << 20));
        assertEquals(1, lines().size());
        assertTrue(lines().getFirst().length() < 2100);
    }
}
