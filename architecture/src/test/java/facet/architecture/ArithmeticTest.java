package facet.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Sizes and offsets that come from PTX or from a client are not added, multiplied or shifted
 * plainly: {@code facet.ptx.Extent} and the exact methods of {@code Math} do that. A line where it
 * cannot go wrong says why, behind {@code // bounded:}, on the same line or before it.
 *
 * <p>It goes by names, line by line, in the packages where such values are at home. What is called
 * otherwise, it does not see.
 */
final class ArithmeticTest {
    private static final List<String> PLACES =
            List.of(
                    "ptx/src/main/java/facet/ptx",
                    "jit/src/main/java/facet/jit",
                    "jit/src/main/java/facet/jit/emit",
                    "device-cpu/src/main/java/facet/device/cpu",
                    "host/src/main/java/facet/host/session");

    private static final String VALUE =
            "(?:\\w+(?:\\(\\))?\\.)*\\b(?:offset|bytes|elementBytes|alignment|effectiveAlignment|pitch"
                    + "|sharedBytes|dynamicShared|localBytes|parameterBytes|columns|extent)\\b(?:\\(\\))?";

    private static final Pattern ARITHMETIC =
            Pattern.compile(
                    VALUE
                            + "\\)?\\s*(?:[*+](?![+=])|<<)|(?<![+\"])\\s(?:[*+]|<<)\\s+\\(?"
                            + VALUE
                            + "|"
                            + VALUE
                            + "\\s*[*+]=");

    private static final String EXCUSE = "// bounded:";

    /** The only place where it is done plainly. */
    private static final String HELPER = "Extent.java";

    private static boolean isText(String line) {
        String code = line.strip();
        return line.contains("\"")
                || code.startsWith("*")
                || code.startsWith("/*")
                || code.startsWith("//");
    }

    private static List<String> plain(Path file) throws IOException {
        List<String> found = new ArrayList<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            String before = i == 0 ? "" : lines.get(i - 1);
            // A message may go on over several lines, with the plus in front.
            boolean message = isText(line) || line.strip().startsWith("+ ");
            if (!message
                    && !line.contains(EXCUSE)
                    && !before.contains(EXCUSE)
                    && ARITHMETIC.matcher(line).find()) {
                found.add(file.getFileName() + ":" + (i + 1) + ": " + line.strip());
            }
        }
        return found;
    }

    @Test
    void sizesOfStrangersAreNotAddedPlainly() throws IOException {
        List<String> found = new ArrayList<>();
        int files = 0;
        for (String place : PLACES) {
            try (Stream<Path> sources = Files.list(Path.of("..").resolve(place))) {
                for (Path each : sources.sorted().toList()) {
                    if (each.toString().endsWith(".java")
                            && !each.getFileName().toString().equals(HELPER)) {
                        found.addAll(plain(each));
                        files++;
                    }
                }
            }
        }
        assertTrue(files > 100, "only " + files + " files were looked at");
        assertEquals("", String.join("\n", found));
    }

    @Test
    void seesWhatItIsFor() {
        for (String each :
                List.of(
                        "if (offset + width > size) {",
                        "bytes *= dimension;",
                        "int x = (place.offset() + more) % width;",
                        "return (long) rows * pitch;",
                        "(value + alignment - 1) / alignment",
                        "at + i * type.bytes()")) {
            assertTrue(ARITHMETIC.matcher(each).find(), each);
        }
    }
}
