package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What others have made, or have given a name. */
final class StrangersTest {
    private static final int SOMEBODY = 54_321;

    @TempDir private Path directory = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        facet.setErr(new PrintWriter(err));
        return facet.execute(arguments);
    }

    /** As what a program calls itself. */
    @Test
    void aProgramsNameStaysInItsColumn() throws Exception {
        String rows =
                """
                {"ok":true,"sessions":[{"session":7,"slice":"a","pid":12,\
                "program":"x\\n\\u001b[2J\\u202e\\u009b31m\\u2028y\\r",\
                "memoryUsed":1,"launches":5,"deviceNanos":12000000}]}\
                """;
        try (FakeDaemon _ = new FakeDaemon(directory, Map.of("sessions", rows))) {
            assertEquals(0, run("ps", "--runtime-dir", directory.toString()), err::toString);
        }
        assertEquals(2, out.toString().lines().count(), out::toString);
        assertTrue(
                out.toString()
                        .codePoints()
                        .allMatch(each -> each == '\n' || each >= ' ' && each < 127),
                out::toString);
        assertTrue(out.toString().contains("x  [2J"), out::toString);
    }

    @Test
    void aRefusalStaysOneLine() throws Exception {
        String refusal = "{\"ok\":false,\"error\":\"no\\n\\u001b]0;owned\\u0007\"}";
        try (FakeDaemon _ = new FakeDaemon(directory, Map.of("sessions", refusal))) {
            assertEquals(1, run("ps", "--runtime-dir", directory.toString()));
        }
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertFalse(err.toString().contains("\u001b"), err::toString);
    }

    @Test
    void aFolderThatOthersCanWriteToIsNotTrusted() throws Exception {
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("sessions", "{\"ok\":true}"))) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx----w-"));
            assertEquals(1, run("ps", "--runtime-dir", directory.toString()));
            assertTrue(daemon.asked.isEmpty(), "nothing was said to it");
        }
        assertTrue(err.toString().contains("cannot be trusted"), err::toString);
    }

    @Test
    void whereEverybodyMakesFoldersOnlyOursAreTrusted() throws Exception {
        Path open = Files.createDirectory(directory.resolve("open"));
        Path ours = Files.createDirectory(open.resolve("facet"));
        Files.setPosixFilePermissions(ours, PosixFilePermissions.fromString("rwx------"));
        int owner = (int) Files.getAttribute(ours, "unix:uid");
        Trust somebody = new Trust(SOMEBODY);
        somebody.check(ours);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        new Trust(owner).check(ours);
        if (owner != 0) {
            assertThrows(CommandFailure.class, () -> somebody.check(ours));
        }
        Path link = Files.createSymbolicLink(open.resolve("link"), ours);
        assertThrows(CommandFailure.class, () -> new Trust(owner).check(link));
        new Trust(owner).check(open.resolve("nothing"));
    }

    @Test
    void ordinaryTextStaysAsItIs() {
        assertEquals("Grün ✓ 日本 \uD83D\uDE80", Plain.of("Grün ✓ 日本 \uD83D\uDE80"));
    }
}
