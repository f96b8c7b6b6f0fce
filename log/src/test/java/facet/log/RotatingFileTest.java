package facet.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RotatingFileTest {
    private static final int LONGEST = 1000;

    @TempDir private Path folder = Path.of("");

    private List<Path> files() throws Exception {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }

    @Test
    void theLastLinesAreKeptAndNoMoreThanSoMany() throws Exception {
        Path file = folder.resolve("log");
        try (PrintStream out =
                new PrintStream(RotatingFile.open(file, LONGEST), true, StandardCharsets.UTF_8)) {
            for (int i = 0; i < 1000; i++) {
                out.println("line " + i);
            }
        }
        assertEquals(4, files().size());
        List<String> lines = new ArrayList<>();
        for (Path each : files().reversed()) {
            assertTrue(Files.size(each) <= LONGEST + 20, each::toString);
            if (!each.equals(file)) {
                lines.addAll(Files.readAllLines(each));
            }
        }
        lines.addAll(Files.readAllLines(file));
        for (int i = 0; i < lines.size(); i++) {
            assertEquals("line " + (1000 - lines.size() + i), lines.get(i), "none is missing");
        }
    }

    /** The file stays the same one for those who have it open too. */
    @Test
    void othersWriteToItToo() throws Exception {
        Path file = folder.resolve("log");
        Files.writeString(file, "of the daemon before\n");
        try (PrintStream out =
                        new PrintStream(
                                RotatingFile.open(file, LONGEST), true, StandardCharsets.UTF_8);
                var other = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
            while (!Files.exists(folder.resolve("log.1"))) {
                out.println("x".repeat(50));
            }
            other.write("of another\n".getBytes(StandardCharsets.UTF_8));
        }
        assertEquals("of another\n", Files.readString(file));
        assertTrue(Files.readString(folder.resolve("log.1")).startsWith("of the daemon before\n"));
    }
}
