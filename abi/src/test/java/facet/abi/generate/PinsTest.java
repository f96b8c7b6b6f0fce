package facet.abi.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs with older libraries send stays what it is. */
final class PinsTest {
    private static final String COMMANDS = "1 A post a:u32\n2 B wait -> b:u64\n";

    @TempDir private Path folder = Path.of("");

    private RecordTable records(int protocol, String more) throws IOException {
        return RecordTable.read(
                Files.writeString(
                        folder.resolve("records"),
                        "constant PROTOCOL " + protocol + "\n" + TablesTest.RECORDS + more));
    }

    private CommandTable commands(String text) throws IOException {
        return commands(0, text);
    }

    private CommandTable commands(int vocabulary, String text) throws IOException {
        return CommandTable.read(
                Files.writeString(
                        folder.resolve("commands"),
                        TablesTest.vocabulary("V", vocabulary) + "group G\n" + text),
                records(4, ""));
    }

    /** Of protocol 4, with {@link #COMMANDS}. */
    private Pins pinned() throws IOException {
        Path file = folder.resolve("pinned");
        Files.deleteIfExists(file);
        Files.writeString(file, Pins.read(file).text(records(4, ""), List.of(commands(COMMANDS))));
        return Pins.read(file);
    }

    private void assertRefused(String expected, int protocol, String more, String text)
            throws IOException {
        Pins pins = pinned();
        RecordTable records = records(protocol, more);
        CommandTable commands = commands(text);
        TableError error =
                assertThrows(TableError.class, () -> pins.check(records, List.of(commands)));
        assertTrue(String.valueOf(error.getMessage()).contains(expected), error.getMessage());
    }

    @Test
    void whatIsPinnedIsAsItWas() throws IOException {
        Pins pins = pinned();
        pins.check(records(4, ""), List.of(commands(COMMANDS)));
        assertEquals(
                Files.readString(folder.resolve("pinned")),
                pins.text(records(4, ""), List.of(commands(COMMANDS))));
    }

    @Test
    void newOnesComeBehind() throws IOException {
        String more = COMMANDS + "3 C post\n";
        Pins pins = pinned();
        pins.check(records(4, ""), List.of(commands(more)));
        assertTrue(
                pins.text(records(4, ""), List.of(commands(more)))
                        .contains("command 4  3 C post\n"));
    }

    @Test
    void nothingChangesWithinAProtocol() throws IOException {
        assertRefused("A has changed", 4, "", "1 A post a:u64\n2 B wait -> b:u64\n");
        assertRefused("A has changed", 4, "", "1 A wait a:u32\n2 B wait -> b:u64\n");
        assertRefused("the number 2 is B's", 4, "", "1 A post a:u32\n");
        assertRefused("a new layout needs a new PROTOCOL", 4, "record R\n  a:u8\n", COMMANDS);
        assertRefused("older", 3, "", COMMANDS);
    }

    @Test
    void anotherProtocolMayChangeButUsesNoNumberAgain() throws IOException {
        Pins pins = pinned();
        CommandTable without = commands("1 A post a:u64\n3 C post\n");
        pins.check(records(5, "record R\n  a:u8\n"), List.of(without));
        assertTrue(
                pins.text(records(5, ""), List.of(without))
                        .contains("command 4  2 B wait -> b:u64\n"));
        assertRefused("the number 2 is B's", 5, "", "1 A post a:u32\n2 C post\n");
    }

    @Test
    void oneWithMoreCommandsAgreesOnThoseThatBothKnow() throws IOException {
        long[] fewer = Digests.of(commands(COMMANDS));
        long[] more = Digests.of(commands(COMMANDS + "4 D post\n"));
        assertEquals(fewer[2], more[2]);
        assertEquals(more[2], more[3], "there is no command 3");
        assertNotEquals(more[3], more[4]);
        assertNotEquals(fewer[1], Digests.of(commands("1 A post a:u64\n"))[1]);
    }
}
