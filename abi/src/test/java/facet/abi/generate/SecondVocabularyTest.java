package facet.abi.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Command;
import facet.abi.CompilerC;
import facet.abi.Dispatcher;
import facet.abi.Envelope;
import facet.abi.Free;
import facet.abi.MalformedCommand;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another API is another table: nothing of CUDA's changes, and nothing of it is needed. */
final class SecondVocabularyTest {
    private static final Path TABLES = Path.of("tables");

    private static final String CODEC =
            """
            vocabulary Codec
              number   2
              package  facet.abi.codec
              errors   codec_error codec_errors.h
              gone     CODEC_GONE
              invalid  CODEC_TOO_MUCH
            group Decoder
            1 DecoderOpen wait  format:u32 -> width:u32 height:u32
            group Picture
            2 Decode      async stream:u32 data:bytes
            3 Forget      post  picture:u64
            """;

    @TempDir private Path folder = Path.of("");
    private RecordTable records = new RecordTable(List.of(), Map.of());
    private List<CommandTable> both = List.of();

    @BeforeEach
    void read() throws IOException {
        records = RecordTable.read(TABLES.resolve("records.table"));
        both =
                CommandTable.readAll(
                        List.of(TABLES.resolve("commands.table"), codec(CODEC)), records);
    }

    private Path codec(String text) throws IOException {
        return Files.writeString(folder.resolve("codec.table"), text);
    }

    @Test
    void nothingOfCudaChanges() throws IOException {
        CommandTable cuda = CommandTable.read(TABLES.resolve("commands.table"), records);
        assertArrayEquals(Digests.of(cuda), Digests.of(both.getFirst()));
        Path file = TABLES.resolve("pinned.table");
        Pins pins = Pins.read(file);
        pins.check(records, both);
        String text = pins.text(records, both);
        assertTrue(text.startsWith(Files.readString(file)), "its lines stay, others follow");
        assertTrue(text.endsWith("command 5  8195 Forget post picture:u64\n"), text);
    }

    @Test
    void itIsPinnedLikeTheFirst() throws IOException {
        Path file = Files.createFile(folder.resolve("pinned"));
        Files.writeString(file, Pins.read(file).text(records, both));
        Pins pins = Pins.read(file);
        List<CommandTable> changed =
                CommandTable.readAll(
                        List.of(
                                TABLES.resolve("commands.table"),
                                codec(CODEC.replace("picture:u64", "picture:u32"))),
                        records);
        TableError error = assertThrows(TableError.class, () -> pins.check(records, changed));
        assertTrue(String.valueOf(error.getMessage()).contains("Forget has changed"));
    }

    @Test
    void twoVocabulariesHaveTwoNumbersAndNoNameTwice() throws IOException {
        assertRefused("another vocabulary has number 0", CODEC.replace("number   2", "number 0"));
        assertRefused("another vocabulary has a command Free", CODEC.replace("Forget", "Free"));
    }

    private void assertRefused(String expected, String text) throws IOException {
        List<Path> files = List.of(TABLES.resolve("commands.table"), codec(text));
        TableError error =
                assertThrows(TableError.class, () -> CommandTable.readAll(files, records));
        assertTrue(String.valueOf(error.getMessage()).contains(expected), error.getMessage());
    }

    /** What its C sends is what its Java understands; CUDA's is in the same program. */
    @Test
    void fromCToJava() throws Exception {
        CompilerC compiler = CompilerC.assumed();
        Output c = new Output(folder.resolve("c"));
        Generate.c(both.getLast(), c);
        c.write(
                "codec_errors.h",
                "typedef enum { CODEC_FINE, CODEC_GONE = -7, CODEC_TOO_MUCH } codec_error;\n");
        Path program = folder.resolve("codec");
        compiler.compile(
                "-Wall",
                "-Wextra",
                "-Wpedantic",
                "-Werror",
                "-I",
                folder.resolve("c").toString(),
                "-o",
                program.toString(),
                "src/test/c/codec.c");
        Process process =
                new ProcessBuilder(program.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        byte[] output = process.getInputStream().readAllBytes();
        assertEquals(0, process.waitFor(), "the program tells by its exit code what was wrong");

        GeneratedJava java = new GeneratedJava(folder.resolve("java"));
        java.write(both.getLast());
        assertEquals("", java.compile());
        List<String> received = new ArrayList<>();
        URL[] classes = {URI.create("file:" + java.folder() + "/").toURL()};
        try (URLClassLoader loader =
                new URLClassLoader(classes, SecondVocabularyTest.class.getClassLoader())) {
            Dispatcher dispatcher = dispatcher(loader, received);
            for (int offset = 0; offset < output.length; ) {
                int length = Byte.toUnsignedInt(output[offset]);
                dispatcher.dispatch(MemorySegment.ofArray(output).asSlice(offset, length));
                offset += length;
            }
            assertEquals(2, dispatcher.vocabulary());
            assertTrue(dispatcher.retires(2 << 12 | 2));
            assertFalse(dispatcher.retires(2), "that is CUDA's");
            MemorySegment cuda = MemorySegment.ofArray(new Free(1).encode(0, 1, 0));
            assertThrows(MalformedCommand.class, () -> dispatcher.dispatch(cuda));
        }
        assertEquals(
                List.of("1 DecoderOpen[format=3]", "2 Decode", "3 Forget[picture=9]"), received);
    }

    private static Dispatcher dispatcher(ClassLoader loader, List<String> received)
            throws ReflectiveOperationException {
        Constructor<?> constructor =
                loader.loadClass("facet.abi.codec.CodecDispatcher").getConstructors()[0];
        Class<?>[] groups = constructor.getParameterTypes();
        Object handlers =
                Proxy.newProxyInstance(
                        loader,
                        groups,
                        (proxy, method, arguments) -> {
                            Envelope envelope = (Envelope) arguments[0];
                            Command command = (Command) arguments[1];
                            String text = command.toString();
                            received.add(
                                    envelope.sequence()
                                            + " "
                                            + (text.startsWith("Decode[") ? "Decode" : text));
                            return null;
                        });
        Object[] all = new Object[groups.length];
        Arrays.fill(all, handlers);
        return (Dispatcher) constructor.newInstance(all);
    }
}
