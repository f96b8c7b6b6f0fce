package facet.slices.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.slices.Setting;
import facet.slices.Settings;
import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateFolderTest {
    private static final Map<String, Settings> ONE =
            Map.of("one", new Settings(Map.of(Setting.MEMORY, "4G")));

    @TempDir private Path parent = Path.of("/nowhere");

    private Path path() {
        return parent.resolve("deep/state");
    }

    @Test
    void nothingIsMadeUntilSomethingIsKept() throws Exception {
        try (StateFolder folder = StateFolder.take(path())) {
            assertEquals(List.of(), folder.load().entries());
            folder.save(Map.of());
            assertFalse(Files.exists(path()));
            folder.save(ONE);
            assertEquals("one", folder.load().entries().getFirst().name());
        }
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(path().resolve("slices.yaml"))));
        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path())));
        try (StateFolder again = StateFolder.take(path())) {
            assertEquals(ONE.get("one"), again.load().entries().getFirst().settings());
            again.save(Map.of());
            assertEquals(List.of(), again.load().entries());
        }
    }

    @Test
    void oneDaemonForAFolder() throws Exception {
        try (StateFolder folder = StateFolder.take(path())) {
            folder.save(ONE);
            // Within one process Java says so itself.
            assertThrows(OverlappingFileLockException.class, () -> StateFolder.take(path()));
        }
    }

    /** What was half written when the machine went down is not looked at. */
    @Test
    void whoIsKilledWhileWritingLeavesTheOldFile() throws Exception {
        try (StateFolder folder = StateFolder.take(path())) {
            folder.save(ONE);
        }
        Files.writeString(path().resolve("slices.yaml.new"), "slices:\n  - na");
        try (StateFolder folder = StateFolder.take(path())) {
            assertEquals("one", folder.load().entries().getFirst().name());
            folder.save(Map.of("two", Settings.NONE));
            assertEquals("two", folder.load().entries().getFirst().name());
            assertFalse(Files.exists(path().resolve("slices.yaml.new")));
        }
    }

    @Test
    void aBrokenFileIsNamedAndStays() throws Exception {
        Files.createDirectories(path());
        String broken = "slices:\n  - name: one\n    memroy: 4G\n";
        Files.writeString(path().resolve("slices.yaml"), broken);
        try (StateFolder folder = StateFolder.take(path())) {
            DocumentException thrown = assertThrows(DocumentException.class, folder::load);
            String message = String.valueOf(thrown.getMessage());
            assertTrue(message.contains("slices.yaml, line 3, column 5"), message);
            assertTrue(message.contains("Mend the file"), message);
        }
        assertEquals(broken, Files.readString(path().resolve("slices.yaml")));
    }

    /** As a disk or a careless copy leaves it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u00ff\u00fe\u0000\u0080",
                "\0\0\0\0\0\0",
                "slices: [",
                "slices: *a",
                "{{{{",
                "a\tb:\0",
                "slices:\n  - name: one\n  - name: one\n",
                "- 1\n",
                "slices: {a: &x [*x]}"
            })
    void whateverIsInTheFileItIsNamed(String content) throws Exception {
        Files.createDirectories(path());
        Files.write(path().resolve("slices.yaml"), content.getBytes(StandardCharsets.ISO_8859_1));
        try (StateFolder folder = StateFolder.take(path())) {
            Exception thrown = assertThrows(Exception.class, folder::load);
            String message = String.valueOf(thrown.getMessage());
            assertTrue(thrown instanceof DocumentException, thrown::toString);
            assertTrue(message.contains(path().resolve("slices.yaml").toString()), message);
            assertTrue(message.contains("Mend the file"), message);
        }
    }

    @Test
    void aFolderInItsPlaceIsNamed() throws Exception {
        Files.createDirectories(path().resolve("slices.yaml"));
        try (StateFolder folder = StateFolder.take(path())) {
            IOException thrown = assertThrows(IOException.class, folder::load);
            assertTrue(
                    String.valueOf(thrown.getMessage()).contains("slices.yaml cannot be read"),
                    thrown::getMessage);
        }
    }

    @Test
    void whatCannotBeWrittenIsSaid() throws Exception {
        Files.writeString(parent.resolve("deep"), "a file where the folder should be");
        try (StateFolder folder = StateFolder.take(path())) {
            assertThrows(IOException.class, () -> folder.save(ONE));
        }
    }
}
