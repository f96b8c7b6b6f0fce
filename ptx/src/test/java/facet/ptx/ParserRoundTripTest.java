package facet.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import facet.ptx.flow.Flatten;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What parses also prints, and the print parses to the same module. */
class ParserRoundTripTest {
    static Stream<Path> compiled() {
        return Samples.compiled().stream();
    }

    @ParameterizedTest
    @MethodSource
    void compiled(Path path) {
        Module module = Parser.parse(Samples.read(path));
        String text = Printer.print(module);
        Module again = Parser.parse(text);
        assertEquals(module, again);
        assertEquals(text, Printer.print(again));
        assertFalse(module.kernels().isEmpty());
        for (Function each : module.kernels()) {
            assertFalse(Flatten.flatten(each).instructions().isEmpty());
        }
    }

    static Stream<String> declarations() {
        return Samples.read(Path.of("src/test/resources/declarations.txt"))
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    @ParameterizedTest
    @MethodSource
    void declarations(String text) {
        roundTrip(Samples.module(text));
    }

    static Stream<String> statements() {
        return Samples.read(Path.of("src/test/resources/statements.txt"))
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    @ParameterizedTest
    @MethodSource
    void statements(String text) {
        roundTrip(Samples.kernel(text));
    }

    private static void roundTrip(String text) {
        Module module = Parser.parse(text);
        assertEquals(module, Parser.parse(Printer.print(module)), () -> Printer.print(module));
    }
}
