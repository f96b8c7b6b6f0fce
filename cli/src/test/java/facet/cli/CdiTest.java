package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class CdiTest {
    private static final Map<String, String> ANSWERS =
            Map.of(
                    "devices",
                    """
                    {"ok":true,"devices":[{"device":0,"uuid":"GPU-5a"},{"device":1,"uuid":"GPU-6b"}]}\
                    """,
                    "slices",
                    """
                    {"ok":true,"slices":[{"name":"default","kept":true},{"name":"once",\
                    "kept":false},{"name":"train.a","kept":true},{"name":"odd-","kept":true}]}\
                    """);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> asked = new ArrayList<>();

    @TempDir private Path directory = Path.of("");

    private int run(String... arguments) throws IOException {
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        facet.setErr(new PrintWriter(err));
        try (FakeDaemon daemon = new FakeDaemon(directory, ANSWERS)) {
            List<String> all =
                    Stream.concat(
                                    Stream.of(arguments),
                                    Stream.of("--runtime-dir", directory.toString()))
                            .toList();
            int status = facet.execute(all.toArray(String[]::new));
            asked.addAll(daemon.asked);
            return status;
        }
    }

    private static List<String> texts(JsonNode list, String pointer) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(each -> each.at(pointer).asText())
                .toList();
    }

    @Test
    void devicesHaveNames() throws Exception {
        assertEquals(0, run("cdi", "--hook", "/opt/facet-hook"), err::toString);
        JsonNode cdi = new ObjectMapper().readTree(out.toString());
        assertEquals("0.5.0", cdi.path("cdiVersion").asText());
        assertEquals("facet.dev/gpu", cdi.path("kind").asText());
        assertEquals(
                List.of("all", "0", "1", "GPU-5a", "GPU-6b"), texts(cdi.path("devices"), "/name"));
        assertEquals(
                List.of(
                        "FACET_GPU=all",
                        "FACET_GPU_0=0",
                        "FACET_GPU_1=1",
                        "FACET_GPU_0=0",
                        "FACET_GPU_1=1"),
                texts(cdi.path("devices"), "/containerEdits/env/0"));
        // Fields that are not in the version of the specification make engines refuse the file.
        assertFalse(cdi.at("/devices/0/containerEdits").has("hooks"));
        assertFalse(cdi.path("containerEdits").has("env"));
        JsonNode hooks = cdi.at("/containerEdits/hooks");
        assertEquals(List.of("createRuntime", "poststop"), texts(hooks, "/hookName"));
        assertEquals(List.of("/opt/facet-hook", "/opt/facet-hook"), texts(hooks, "/path"));
        assertEquals(List.of("create", "delete"), texts(hooks, "/args/1"));
        assertEquals(directory.toString(), hooks.at("/0/args/3").asText());
    }

    @Test
    void aPackageIsMadeWithoutADaemon() throws Exception {
        assertEquals(0, run("cdi", "--any-machine"), err::toString);
        JsonNode cdi = new ObjectMapper().readTree(out.toString());
        assertEquals(List.of(), asked);
        assertEquals(List.of("all", "0"), texts(cdi.path("devices"), "/name"));
    }

    @Test
    void slicesAreThoseOfADaemon() throws Exception {
        assertEquals(2, run("cdi", "--any-machine", "--slices"));
    }

    @Test
    void keptSlicesHaveNames() throws Exception {
        assertEquals(0, run("cdi", "--slices"), err::toString);
        JsonNode cdi = new ObjectMapper().readTree(out.toString());
        assertEquals("facet.dev/slice", cdi.path("kind").asText());
        assertEquals(List.of("train.a"), texts(cdi.path("devices"), "/name"));
        JsonNode edits = cdi.at("/devices/0/containerEdits");
        assertFalse(edits.has("env"));
        assertEquals(
                List.of(
                        "facet-hook",
                        "create",
                        "--runtime-dir",
                        directory.toString(),
                        "--slice",
                        "train.a"),
                texts(edits.at("/hooks/0/args"), ""));
        assertEquals("delete", edits.at("/hooks/1/args/1").asText());
        assertTrue(err.toString().contains("'odd-' is left out"), err::toString);
    }

    @Test
    void aFileIsReplacedAsAWhole() throws Exception {
        Path file = directory.resolve("cdi/facet.json");
        Files.createDirectories(directory.resolve("cdi"));
        Files.writeString(file, "old");
        assertEquals(0, run("cdi", "--output", file.toString()), err::toString);
        JsonNode cdi = new ObjectMapper().readTree(Files.readString(file));
        assertEquals(5, cdi.path("devices").size());
        assertEquals("", out.toString());
        try (Stream<Path> all = Files.list(directory.resolve("cdi"))) {
            assertEquals(List.of(file), all.toList());
        }
    }
}
