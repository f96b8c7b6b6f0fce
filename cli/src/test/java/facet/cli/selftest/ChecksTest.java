package facet.cli.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import facet.cli.selftest.Outcome.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks say what happened: with a program that a test wrote, and a daemon that agrees to all. */
final class ChecksTest {
    @TempDir private Path home = Path.of("");

    private final List<String> open = new ArrayList<>();

    @Test
    void aLimitThatHolds() throws Exception {
        tenant("take) echo sees 67108864; echo taken 33030144; echo refused 2 ;;");
        // Alone it gets half, so that two have as much as the slice.
        List<Outcome> outcomes = new QuotaCheck().run(ground());
        assertEquals(
                List.of(Verdict.HELD, Verdict.MISSED, Verdict.HELD),
                outcomes.stream().map(Outcome::verdict).toList(),
                outcomes::toString);
        assertTrue(open.isEmpty(), "a slice was left behind");
    }

    @Test
    void aLimitThatDoesNot() throws Exception {
        tenant("take) echo sees 134217728; echo taken 134217728; echo refused 0 ;;");
        List<Outcome> outcomes = new QuotaCheck().run(ground());
        assertTrue(
                outcomes.stream().allMatch(each -> each.verdict() == Verdict.MISSED),
                outcomes::toString);
        assertEquals("128 MiB, then error 0", outcomes.get(1).measured());
    }

    @Test
    void aProgramThatEndsSaysWhy() throws Exception {
        tenant("take) echo 'cuMemAlloc: no device (100)' >&2; exit 1 ;;");
        IOException e = assertThrows(IOException.class, () -> new QuotaCheck().run(ground()));
        assertTrue(
                String.valueOf(e.getMessage()).contains("no device (100)"),
                () -> String.valueOf(e));
        assertTrue(open.isEmpty(), "a slice was left behind");
    }

    @Test
    void callsAreTold() throws Exception {
        tenant("calls) echo launch 512.4; echo wait 1500; echo allocate 60 ;;");
        assertEquals(
                List.of("0.51 µs", "1.50 µs", "0.06 µs"),
                new CallsCheck().run(ground()).stream().map(Outcome::measured).toList());
    }

    @Test
    void whereThereIsOneEngineItIsSaidToBeAlone() throws Exception {
        List<Outcome> outcomes = new EngineComparison().run(ground());
        assertEquals(1, outcomes.size(), outcomes::toString);
        assertTrue(outcomes.getFirst().measured().contains("forwarded alone"), outcomes::toString);
        assertTrue(open.isEmpty(), "a connection was left open");
    }

    @Test
    void rateAndLatencyAreThoseOfTheLines() throws Exception {
        Answer answer =
                new Answer(
                        List.of(
                                "sample 100 0",
                                "sample 1000000000 10",
                                "sample 3000000000 50",
                                "request 0 2000000",
                                "request 0 1000000"));
        assertEquals(20, answer.rate(1000, Long.MAX_VALUE));
        assertEquals(2, answer.latency(0.99));
        assertThrows(IOException.class, () -> answer.rate(0, 50));
        assertThrows(IOException.class, () -> answer.number("launch"));
    }

    /** A script in the place of the program: a case for each command. */
    private void tenant(String cases) throws IOException {
        Path script = home.resolve("bench/tenant");
        Files.createDirectories(script.getParent());
        Files.writeString(
                script,
                """
                #!/bin/sh
                echo done
                while read -r command rest; do
                    case $command in
                    %s
                    esac
                    echo done
                done
                """
                        .formatted(cases));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    private Ground ground() {
        return new Ground(home, AgreeingDaemon::new, 1);
    }

    private final class AgreeingDaemon implements Connection {
        private String slice = "";

        @Override
        public JsonNode ask(String verb, Map<String, String> arguments) {
            slice = String.valueOf(arguments.get("name"));
            open.add(slice);
            return new ObjectMapper()
                    .createObjectNode()
                    .put("slice", slice)
                    .put("socket", "/nowhere");
        }

        @Override
        public void close() {
            open.remove(slice);
        }
    }
}
