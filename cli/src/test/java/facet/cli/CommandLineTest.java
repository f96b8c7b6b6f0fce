package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class CommandLineTest {
    private static final String SESSIONS =
            """
            {"ok":true,"sessions":[{"session":7,"slice":"a","pid":12,"program":"train",\
            "memoryUsed":1610612736,"launches":5,"deviceNanos":12000000}]}\
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path directory = Path.of("");

    private int run(String... arguments) {
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        facet.setErr(new PrintWriter(err));
        return facet.execute(arguments);
    }

    @Test
    void tablesHaveOneLineARow() throws Exception {
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("sessions", SESSIONS))) {
            assertEquals(0, run("ps", "--runtime-dir", directory.toString()), err::toString);
            assertEquals(List.of("sessions"), daemon.asked);
        }
        assertEquals(
                """
                SESSION  SLICE  PID  PROGRAM   MEMORY  LAUNCHES  DEVICE TIME
                      7  a       12  train    1.5 GiB         5        12 ms
                """,
                out.toString());
    }

    @Test
    void jsonIsWhatTheDaemonSaid() throws Exception {
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("sessions", SESSIONS))) {
            assertEquals(0, run("ps", "-o", "json", "--runtime-dir", directory.toString()));
            assertFalse(daemon.asked.isEmpty());
        }
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertEquals("train", json.at("/sessions/0/program").asText());
        assertTrue(json.path("ok").isMissingNode());
    }

    @Test
    void noDaemonIsToldWithWhatToDo() {
        for (String command : List.of("ps", "status", "devices", "slices", "down", "demo")) {
            assertEquals(1, run(command, "--runtime-dir", directory.toString()), command);
        }
        assertEquals(6, err.toString().split("start one with 'facet up'", -1).length - 1);
        assertFalse(err.toString().contains("\tat "), err::toString);
    }

    @Test
    void downAsksBeforeItStopsPrograms() throws Exception {
        Map<String, String> answers =
                Map.of("status", "{\"ok\":true,\"pid\":0,\"sessions\":2}", "down", "{\"ok\":true}");
        try (FakeDaemon daemon = new FakeDaemon(directory, answers)) {
            assertEquals(1, run("down", "--runtime-dir", directory.toString()));
            assertTrue(err.toString().contains("2 programs use a device"), err::toString);
            assertEquals(List.of("status"), daemon.asked);
            assertEquals(0, run("down", "--force", "--runtime-dir", directory.toString()));
            assertEquals(List.of("status", "status", "down"), daemon.asked);
        }
    }

    @Test
    void refusalsAreTheDaemonsOwnWords() throws Exception {
        try (FakeDaemon daemon =
                new FakeDaemon(
                        directory,
                        Map.of("devices", "{\"ok\":false,\"error\":\"the device is gone\"}"))) {
            assertEquals(1, run("devices", "--runtime-dir", directory.toString()));
            assertEquals(1, daemon.asked.size());
        }
        assertEquals("facet: the device is gone\n", err.toString());
    }

    @Test
    void topWithoutATerminalIsOneSample() throws Exception {
        Map<String, String> answers =
                Map.of(
                        "devices",
                        "{\"ok\":true,\"devices\":[{\"device\":0,\"multiprocessors\":2}]}",
                        "slices",
                        "{\"ok\":true,\"slices\":[{\"name\":\"one\",\"deviceNanos\":5}]}",
                        "sessions",
                        "{\"ok\":true,\"sessions\":[]}");
        try (FakeDaemon daemon = new FakeDaemon(directory, answers)) {
            assertEquals(
                    0,
                    run(
                            "top",
                            "--once",
                            "--interval",
                            "0.1",
                            "--runtime-dir",
                            directory.toString()));
            assertTrue(out.toString().contains("GPU 0 busy ["), out::toString);
            assertTrue(out.toString().contains("\none  "), out::toString);
            assertEquals(
                    List.of("devices", "slices", "sessions", "devices", "slices", "sessions"),
                    daemon.asked);
        }
        assertEquals(2, run("top", "--interval", "0"));
    }

    @Test
    void helpHasExamples() {
        assertEquals(0, run("demo", "--help"));
        assertTrue(out.toString().contains("facet demo -o json"), out::toString);
    }

    @Test
    void wrongUsageIsTwo() {
        assertEquals(2, run());
        assertEquals(2, run("dmeo"));
        assertEquals(2, run("demo", "--width", "3"));
        assertEquals(2, run("demo", "-o", "xml"));
    }

    @Test
    void completionKnowsTheCommands() {
        assertEquals(0, run("completion"));
        assertTrue(out.toString().contains("devices"), out::toString);
        assertTrue(out.toString().contains("--runtime-dir"), out::toString);
    }

    @Test
    void amountsAreReadable() {
        assertEquals("0 B", Units.bytes(0));
        assertEquals("1.5 KiB", Units.bytes(1536));
        assertEquals("256 MiB", Units.bytes(256L << 20));
        assertEquals("850 µs", Units.nanos(850_000));
        assertEquals("9999 ms", Units.nanos(9_999_000_000L));
        assertEquals("12.5 s", Units.nanos(12_500_000_000L));
        assertEquals("1 h 2 min", Units.seconds(3725));
    }

    @Test
    void theRuntimeDirectoryIsLookedForInOrder() {
        Map<String, String> both = Map.of("FACET_RUNTIME_DIR", "/a", "XDG_RUNTIME_DIR", "/b");
        assertEquals(Path.of("/a"), RuntimeDirectory.find(both, true, 0));
        assertEquals(Path.of("/run/facet"), RuntimeDirectory.find(Map.of(), true, 0));
        assertEquals(
                Path.of("/b/facet"),
                RuntimeDirectory.find(Map.of("XDG_RUNTIME_DIR", "/b"), false, 5));
        assertEquals(Path.of("/tmp/facet-5"), RuntimeDirectory.find(Map.of(), false, 5));
    }
}
