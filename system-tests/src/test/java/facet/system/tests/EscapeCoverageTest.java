package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.bench.escape.EscapeMatrix;
import facet.bench.escape.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every supported call is tried by a way of the escape matrix, or is known to be harmless. */
class EscapeCoverageTest {
    private static final Pattern NAME = Pattern.compile("(\\w+)\\(");
    private static final Path HARMLESS = Places.ROOT.resolve("bench/escape/harmless.table");

    private static List<Way> ways() throws IOException {
        return new EscapeMatrix(Places.ROOT, Places.BUILT, Duration.ZERO).ways();
    }

    private static Set<String> supported() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String table : List.of("driver.table", "runtime.table")) {
            for (String line : Files.readAllLines(Places.ROOT.resolve("abi/tables/" + table))) {
                Matcher name = NAME.matcher(line);
                if (line.startsWith("local") && name.find()) {
                    names.add(name.group(1));
                }
            }
        }
        return names;
    }

    private static List<Pattern> harmless() throws IOException {
        return Files.readAllLines(HARMLESS).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> Pattern.compile(line.split("    ", 2)[0]))
                .toList();
    }

    @Test
    void everySupportedCallHasAWayOrIsHarmless() throws IOException {
        Set<String> tried = new HashSet<>();
        ways().forEach(each -> tried.addAll(each.calls()));
        Set<String> forgotten = new TreeSet<>(supported());
        forgotten.removeAll(tried);
        List<Pattern> harmless = harmless();
        forgotten.removeIf(
                name -> harmless.stream().anyMatch(each -> each.matcher(name).matches()));
        assertEquals(
                Set.of(),
                forgotten,
                "add a way that tries these calls to bench/escape, or say in harmless.table why"
                        + " they cannot get anything");
    }

    @Test
    void whatIsNotSupportedIsNotSupported() throws IOException {
        Set<String> supported = supported();
        Set<String> names = new HashSet<>();
        for (Way way : ways()) {
            assertTrue(names.add(way.name()), () -> way + " is there twice");
            for (String call : way.calls()) {
                assertEquals(
                        way.kind() != Way.Kind.UNSUPPORTED,
                        supported.contains(call),
                        () -> way + " says of what kind it is, and the table differs: " + call);
            }
        }
    }
}
