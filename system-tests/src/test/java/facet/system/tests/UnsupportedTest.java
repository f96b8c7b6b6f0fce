package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not supported is told to the user of the program, and to the operator. */
class UnsupportedTest {
    private final Builder builder = new Builder();

    private Outcome run(Daemon daemon, String slice, String... arguments) throws IOException {
        Path program = builder.driver(Program.of(Places.DRIVER.resolve("lacking.c")));
        List<String> command = new java.util.ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        try (Control control = daemon.control()) {
            String socket = control.slice(slice, "64M");
            return Runner.run(command, Places.BUILT, Slices.environment(socket, false));
        }
    }

    /** A worker that is busy tells a little later. */
    private static Map<String, Long> listed(Daemon daemon, String slice, long all)
            throws IOException, InterruptedException {
        Map<String, Long> listed = listed(daemon, slice);
        for (int i = 0; i < 600 && sum(listed) < all; i++) {
            Thread.sleep(100);
            listed = listed(daemon, slice);
        }
        return listed;
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static Map<String, Long> listed(Daemon daemon, String slice) throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        try (Control control = daemon.control()) {
            for (JsonNode each : control.ask("unsupported").path("unsupported")) {
                if (each.path("slice").asText().equals(slice)) {
                    counts.merge(
                            each.path("kind").asText() + " " + each.path("name").asText(),
                            each.path("count").asLong(),
                            Long::sum);
                }
            }
        }
        return counts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "process"})
    void theUserHearsOnceAndTheOperatorHowOften(String isolation)
            throws IOException, InterruptedException {
        try (Daemon daemon = Daemon.start("256M", "--isolation", isolation)) {
            Outcome outcome = run(daemon, "lacking");
            assertEquals("ok lacking\n", outcome.output(), outcome.report());
            List<String> lines =
                    outcome.errors()
                            .lines()
                            .filter(line -> !line.contains("is slow to answer"))
                            .toList();
            assertEquals(2, lines.size(), outcome.report());
            assertTrue(
                    lines.get(0).startsWith("facet: code refused: not supported: line 6, column")
                            && lines.get(0).contains("add.no_such_0.s32"),
                    outcome.report());
            assertEquals(
                    "facet: the call cuGraphAddBatchMemOpNode is not supported; it answers so",
                    lines.get(1));
            // The slice has gone with its program, or goes.
            assertEquals(
                    Map.of(
                            "call cuGraphAddBatchMemOpNode",
                            3L,
                            "instruction add.no_such_0.s32",
                            6L),
                    listed(daemon, "lacking", 9));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "process"})
    void thousandsOfNamesAreSomeLines(String isolation) throws IOException, InterruptedException {
        try (Daemon daemon = Daemon.start("256M", "--isolation", isolation)) {
            Outcome outcome = run(daemon, "flood", "400");
            assertEquals("ok lacking\n", outcome.output(), outcome.report());
            List<String> lines = outcome.errors().lines().toList();
            assertTrue(lines.size() < 40, outcome.report());
            assertTrue(lines.getLast().contains("'facet ps --unsupported' lists it"));
            int all = 3 * (2 * 400 + 1);
            Map<String, Long> listed = listed(daemon, "flood", all);
            assertTrue(listed.size() <= 258, listed::toString);
            assertEquals(all, sum(listed), listed::toString);
        }
    }
}
