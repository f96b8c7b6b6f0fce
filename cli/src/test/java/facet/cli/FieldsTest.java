package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What commands add to the daemon's answers is in docs/api.md, and nothing else is there. */
final class FieldsTest {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    @TempDir private Path directory = Path.of("");

    /** Names of the first column, each with those in the second one. */
    private static Map<String, Set<String>> documented(String title) throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        boolean inside = false;
        for (String line : Files.readAllLines(Path.of("../docs/api.md"))) {
            inside =
                    line.startsWith(title)
                            || inside && !line.startsWith("**") && !line.startsWith("#");
            if (inside && line.startsWith("| `")) {
                String[] cells = line.split("\\|", -1);
                for (String each : codes(cells[1])) {
                    found.put(each, codes(cells[2]));
                }
            }
        }
        return found;
    }

    private static Set<String> codes(String cell) {
        Set<String> codes = new TreeSet<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            codes.add(matcher.group(1));
        }
        return codes;
    }

    private static Set<String> fields(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void demo() throws IOException {
        assertEquals(
                documented("**facet demo -o json**").keySet(),
                Arrays.stream(Demo.Row.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void top() throws IOException {
        Map<String, String> answers =
                Map.of(
                        "devices",
                        "{\"ok\":true,\"devices\":[{\"device\":0,\"deviceNanos\":5}]}",
                        "slices",
                        "{\"ok\":true,\"slices\":[{\"name\":\"a\",\"deviceNanos\":5,"
                                + "\"waitNanos\":5,\"launches\":5}]}",
                        "sessions",
                        "{\"ok\":true,\"sessions\":[{\"session\":1,\"deviceNanos\":5,"
                                + "\"launches\":5}]}");
        StringWriter out = new StringWriter();
        try (FakeDaemon daemon = new FakeDaemon(directory, answers)) {
            CommandLine facet = Main.commandLine().setOut(new PrintWriter(out));
            assertEquals(
                    0,
                    facet.execute(
                            "top",
                            "-o",
                            "json",
                            "--interval",
                            "0.1",
                            "--runtime-dir",
                            directory.toString()));
            assertEquals(6, daemon.asked.size());
        }
        JsonNode report = new ObjectMapper().readTree(out.toString());
        Map<String, Set<String>> documented = documented("**facet top -o json**");
        assertEquals(documented.keySet(), fields(report));
        Map<String, Set<String>> known =
                Map.of(
                        "devices", Set.of("device", "deviceNanos"),
                        "slices", Set.of("name", "deviceNanos", "waitNanos", "launches"),
                        "sessions", Set.of("session", "deviceNanos", "launches"));
        known.forEach((list, given) -> {
            Set<String> added = fields(report.path(list).path(0));
            added.removeAll(given);
            assertEquals(documented.get(list), added, list);
        });
    }
}
