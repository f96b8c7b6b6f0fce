package facet.doors.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    private static final String WORD = "a-token-of-some-length";

    @TempDir private Path folder = Path.of("/nowhere");

    private Path file(String text, String permissions) throws IOException {
        Path file = folder.resolve("secret");
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    private static String refusal(Path file) {
        return String.valueOf(
                assertThrows(IOException.class, () -> Token.read(file, "--token-file"))
                        .getMessage());
    }

    @Test
    @SuppressWarnings("ObjectToString") // that it tells nothing is the point
    void aTokenMatchesItselfAlone() throws IOException {
        Token token = Token.read(file(WORD + "\n", "rw-------"), "--token-file");
        assertTrue(token.matches(WORD));
        assertFalse(token.matches(WORD + "x"));
        assertFalse(token.matches(WORD.substring(1)));
        assertFalse(token.matches(""));
        assertFalse(token.toString().contains(WORD));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwxrwxrwx"})
    void whatOthersCanOpenIsRefused(String permissions) throws IOException {
        Path file = file(WORD, permissions);
        assertTrue(refusal(file).contains("do 'chmod 600 " + file + "'"), refusal(file));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "short",
                "with a blank in the middle of it",
                "two-lines-of-it\ntwo-lines"
            })
    void whatIsNoTokenIsNotQuoted(String text) throws IOException {
        String said = refusal(file(text, "rw-------"));
        assertTrue(said.contains("holds no token"), said);
        assertFalse(!text.isEmpty() && said.contains(text), said);
    }

    @Test
    void aMissingFileIsNamed() {
        String said = refusal(folder.resolve("none"));
        assertTrue(said.contains("none does not exist"), said);
    }

    @Test
    void theDaemonsOwnIsMadeOnce() throws IOException {
        Path file = folder.resolve("http-token");
        Token.readOrMake(file);
        String first = Files.readString(file);
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(44, first.length());
        assertTrue(Token.readOrMake(file).matches(first.strip()));
        assertEquals(first, Files.readString(file));
    }
}
