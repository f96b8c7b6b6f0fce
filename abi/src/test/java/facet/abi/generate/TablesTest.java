package facet.abi.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mistake in a table is told with its line; what is right is laid out as C does. */
final class TablesTest {
    /** What commands are made of. */
    static final String RECORDS =
            """
            record RecordHeader
              length:u32
              type:u16
              slot:u16
              sequence:u64
              context:u32
              unused:u32
            record ReplySlot
              payload:u64[2]
            """;

    /** The head of a table of commands, on one line and five more. */
    static String vocabulary(String name, int number) {
        return """
        vocabulary %s
          number %d
          package facet.abi.test
          errors enum_of_errors errors.h
          gone GONE
          invalid INVALID
        """
                .formatted(name, number);
    }

    @TempDir private Path folder = Path.of("");

    @Test
    void layout() throws IOException {
        RecordTable table =
                RecordTable.read(
                        write(
                                """
                                record Inner
                                  a:u8
                                  b:u64
                                record Outer     # comment
                                  x:u16[3]       # why
                                  inner:Inner
                                  y:u8
                                """));
        Struct outer = table.struct("Outer");
        assertEquals(32, outer.bytes());
        assertEquals(8, outer.alignment());
        assertEquals(List.of(0, 8, 24), outer.fields().stream().map(Field::offset).toList());
        assertEquals("why", outer.fields().getFirst().comment());
    }

    @Test
    void mistakesInRecords() {
        assertMistake("t:1: a field belongs to a record", "  a:u32");
        assertMistake("t:2: unknown type u33", "record A\n  a:u33");
        assertMistake("t:2: a field is name:type", "record A\n  a");
        assertMistake("t:1: the value is not a number: x", "constant A x");
        assertMistake("t:3: a line starts with", "\n# comment\nrecords A");
    }

    @Test
    void mistakesInCommands() throws IOException {
        RecordTable records = RecordTable.read(write(RECORDS));
        List<List<String>> mistakes =
                List.of(
                        List.of("t:8: the third word is post, async or wait", "1 A send"),
                        List.of("t:8: the number is not a number: A", "A post"),
                        List.of(
                                "t:9: there are two commands with the number 2",
                                "2 A post\n2 B post"),
                        List.of("t:8: numbers are from 1 to 4095", "0 A post"),
                        List.of("t:8: numbers are from 1 to 4095", "4096 A post"),
                        List.of("t:9: there are two commands A", "1 A post\n2 A wait"),
                        List.of("t:8: bytes can only be the last field", "1 A post a:bytes b:u32"),
                        List.of("t:8: only a wait command has answers", "1 A post -> b:u64"),
                        List.of("t:8: an async command has a stream", "1 A async a:u32"),
                        List.of("t:8: a reply has room for 2", "1 A wait -> a:u64 b:u64 c:u64"),
                        List.of("t:8: a field is name:type, not a", "1 A post a"),
                        List.of("t:8: a name is missing", "group"));
        for (List<String> mistake : mistakes) {
            Path file = write(vocabulary("V", 1) + "group G\n" + mistake.get(1));
            TableError error =
                    assertThrows(TableError.class, () -> CommandTable.read(file, records));
            assertStart(mistake.get(0), error);
        }
    }

    @Test
    void mistakesInVocabularies() throws IOException {
        RecordTable records = RecordTable.read(write(RECORDS));
        String right = vocabulary("V", 1);
        List<List<String>> mistakes =
                List.of(
                        List.of("t:1: a table of commands starts with", "1 A post"),
                        List.of("t:1: the vocabulary does not say its number", "vocabulary V"),
                        List.of("t:7: a vocabulary has one each of", right + "  gone AWAY"),
                        List.of("t:7: a vocabulary has one each of", right + "  color blue"),
                        List.of("t:2: vocabularies have numbers from 0 to 15", vocabulary("V", 16)),
                        List.of("t:1: a vocabulary has a command", right),
                        List.of("t:7: a command belongs to a group", right + "1 A post"));
        for (List<String> mistake : mistakes) {
            Path file = write(mistake.get(1));
            TableError error =
                    assertThrows(TableError.class, () -> CommandTable.read(file, records));
            assertStart(mistake.get(0), error);
        }
    }

    @Test
    void mistakesInMessages() throws IOException {
        List<List<String>> mistakes =
                List.of(
                        List.of("t:1: the third word is daemon or worker", "1 A client"),
                        List.of("t:1: the number is not a number: A", "A B daemon"),
                        List.of("t:2: messages have numbers", "1 A daemon\n1 B worker"),
                        List.of("t:1: messages have numbers", "0 A daemon"),
                        List.of("t:1: messages have numbers", "65536 A daemon"),
                        List.of("t:2: there are two of A", "part A a:u31\n1 A daemon"),
                        List.of("t:1: a field is name:type", "1 A daemon a"),
                        List.of("t:1: unknown type B", "1 A daemon a:B"),
                        List.of("t:1: unknown type u32", "1 A daemon a:u32"),
                        List.of("t:1: a text says how long it may be", "1 A daemon a:text"),
                        List.of("t:1: there are no lists of flag", "1 A daemon a:flag[2]"),
                        List.of("t:1: 65536 is too much", "1 A daemon a:u63[65536]"),
                        List.of("t:1: there are two fields a", "1 A daemon a:u31 a:u63"),
                        List.of("t:1: + is followed by", "1 A daemon +"));
        for (List<String> mistake : mistakes) {
            Path file = write(mistake.get(1));
            TableError error = assertThrows(TableError.class, () -> MessageTable.read(file));
            assertStart(mistake.get(0), error);
        }
    }

    @Test
    void calls() throws IOException {
        ApiTable table =
                ApiTable.read(
                        write(
                                """
                                group Things
                                local   3020 ptds:7000 R f_v2(out char **name, const int values[], size_t n)
                                missing 12   -         g
                                local   *    -         const char *h(void)  = other
                                """),
                        "R");
        Call call = table.calls().getFirst();
        assertEquals("Things", call.group());
        assertEquals("f", call.baseName());
        assertEquals(List.of("f_v2", "f_v2_ptds"), call.symbols());
        assertEquals(
                "R facet_f_v2(bool per_thread, char **name, const int values[], size_t n)",
                call.handWritten());
        assertEquals(
                "facet_f_v2(true, name, values, n)", call.prototype().call("facet_f_v2", "true"));
        assertEquals("R g(void)", table.calls().get(1).prototype().declaration("g"));
        assertEquals("const char *facet_other(void)", table.calls().get(2).handWritten());
    }

    @Test
    void rulesOfTheDirectEngine() throws IOException {
        ApiTable table =
                ApiTable.read(
                        write(
                                """
                                local   1 -      pass                 R a(int x)
                                missing 1 -      b
                                local   1 ptsz:1 launches:config->s   R c(const C *config)
                                missing 1 -      charges              R d(int x)  = e
                                """),
                        "R");
        assertEquals(new Rule(Rule.Kind.PASS, ""), table.calls().get(0).rule());
        assertEquals(new Rule(Rule.Kind.NONE, ""), table.calls().get(1).rule());
        assertEquals(new Rule(Rule.Kind.LAUNCHES, "config->s"), table.calls().get(2).rule());
        assertEquals(Rule.Kind.CHARGES, table.calls().get(3).rule().kind());
        assertEquals("e", table.calls().get(3).implementation());
    }

    /** Every call of the driver has one: which is not decided by forgetting it. */
    @Test
    void everyCallOfTheDriverHasARule() throws IOException {
        ApiTable driver = ApiTable.read(Path.of("tables/driver.table"), "CUresult");
        assertEquals(
                List.of(),
                driver.calls().stream()
                        .filter(each -> each.rule().kind() == Rule.Kind.NONE)
                        .map(Call::symbol)
                        .toList());
        // Whatever gives memory of the device has to be paid for.
        assertEquals(
                List.of(),
                driver.calls().stream()
                        .filter(each ->
                                each.symbol()
                                        .matches(
                                                "cuMemAlloc(?!Host).*|cuMemCreate|cuArray.*Create.*"
                                                        + "|cuMipmappedArrayCreate|cuCtxCreate.*"
                                                        + "|cuModuleLoad.*|cuLibraryLoad.*"
                                                        + "|cuIpcOpenMem.*|cuImportExternalMemory"
                                                        + "|cuGraphInstantiate.*"))
                        .filter(each -> each.rule().kind() != Rule.Kind.CHARGES)
                        .map(Call::symbol)
                        .toList());
    }

    @Test
    void mistakesInCalls() throws IOException {
        List<List<String>> mistakes =
                List.of(
                        List.of("t:1: a line is:", "locl 1 - R f(void)"),
                        List.of("t:1: not a prototype: R f(int a", "local 1 - R f(int a"),
                        List.of("t:1: a parameter has a type", "local 1 - R f(int)"),
                        List.of("t:1: only a pointer", "local 1 - R f(out int a)"),
                        List.of("t:1: the variant is", "local 1 ptxx R f(int a)"),
                        List.of("t:1: only a function that returns R", "missing 1 - void f(void)"),
                        List.of("t:2: there are two", "missing 1 - f\nmissing 1 - f"),
                        List.of(
                                "t:2: f and g_v2 have other arguments",
                                "local 1 - R g_v2(int a)\nlocal 1 - R f(long a) = g_v2"));
        for (List<String> mistake : mistakes) {
            Path file = write(mistake.get(1));
            TableError error = assertThrows(TableError.class, () -> ApiTable.read(file, "R"));
            assertStart(mistake.get(0), error);
        }
    }

    private void assertMistake(String expected, String text) {
        TableError error = assertThrows(TableError.class, () -> RecordTable.read(write(text)));
        assertStart(expected, error);
    }

    private static void assertStart(String expected, TableError error) {
        String message = String.valueOf(error.getMessage());
        String told = message.substring(message.lastIndexOf("/t:") + 1);
        assertEquals(expected, told.substring(0, Math.min(expected.length(), told.length())));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("t"), text);
    }
}
