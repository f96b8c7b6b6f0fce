package facet.abi.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who has no handler for a command of the table, or has it in another group, cannot compile. */
final class HandlersTest {
    private static final String TABLE =
            """
            group Door
            1 Open  wait  width:u32 -> height:u64
            3 Close post
            group Window
            2 Look  async stream:u32 name:bytes
            """;

    private static final String DOOR =
            """
            package facet.abi.test;
            import facet.abi.Envelope;
            final class Doors implements DoorHandler {
                @Override public void open(Envelope envelope, Open command) {}
                @Override public void close(Envelope envelope, Close command) {}
            }
            """;

    private static final String WINDOW =
            """
            package facet.abi.test;
            import facet.abi.Envelope;
            final class Windows implements WindowHandler {
                @Override public void look(Envelope envelope, Look command) {}
            }
            """;

    private static final String ALL =
            """
            package facet.abi.test;
            final class All {
                final HouseDispatcher dispatcher = new HouseDispatcher(new Doors(), new Windows());
            }
            """;

    @TempDir private Path folder = Path.of("");
    private GeneratedJava java = new GeneratedJava(folder);

    @BeforeEach
    void everythingIsRight() throws IOException {
        java = new GeneratedJava(folder.resolve("java"));
        table(TABLE);
        java.write("Doors", DOOR);
        java.write("Windows", WINDOW);
        java.write("All", ALL);
    }

    private void table(String text) throws IOException {
        RecordTable records =
                RecordTable.read(Files.writeString(folder.resolve("records"), TablesTest.RECORDS));
        java.write(
                CommandTable.read(
                        Files.writeString(
                                folder.resolve("commands"),
                                TablesTest.vocabulary("House", 3) + text),
                        records));
    }

    private void assertSaid(String expected) throws IOException {
        String said = java.compile();
        assertTrue(said.contains(expected), said);
    }

    @Test
    void withAllHandlers() throws IOException {
        assertEquals("", java.compile());
    }

    @Test
    void withoutOne() throws IOException {
        java.write("Doors", DOOR.replaceAll(".*Close command.*\n", ""));
        assertSaid("does not override abstract method close(Envelope,Close)");
    }

    @Test
    void withOneInAnotherGroup() throws IOException {
        java.write("Windows", WINDOW.replace("look(", "close(").replace("Look", "Close"));
        assertSaid("does not override abstract method look(Envelope,Look)");
        java.write(
                "Windows",
                WINDOW.replace(
                        "}\n}", "}\n @Override public void close(Envelope e, Close c) {}\n}"));
        assertSaid("method does not override or implement a method from a supertype");
    }

    @Test
    void withTheWrongHandler() throws IOException {
        java.write("All", ALL.replace("new Doors(), new Windows()", "new Windows(), new Doors()"));
        assertSaid("Windows cannot be converted to DoorHandler");
        java.write("All", ALL.replace(", new Windows()", ""));
        assertSaid("cannot be applied to given types");
    }

    @Test
    void whenTheTableHasAnotherCommand() throws IOException {
        table(TABLE + "4 Paint post pane:u32\n");
        assertSaid("does not override abstract method paint(Envelope,Paint)");
    }

    @Test
    void whenACommandMovesToAnotherGroup() throws IOException {
        table(TABLE.replace("3 Close post\n", "") + "3 Close post\n");
        assertSaid("does not override abstract method close(Envelope,Close)");
    }
}
