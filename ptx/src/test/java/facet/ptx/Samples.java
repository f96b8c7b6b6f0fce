package facet.ptx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** PTX texts for tests: what nvcc wrote, and short texts put into a module. */
final class Samples {
    private Samples() {}

    static List<Path> compiled() {
        return in("ptx");
    }

    static List<Path> fuzz() {
        return in("fuzz");
    }

    private static List<Path> in(String directory) {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources", directory))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String module(String declarations) {
        return ".version 9.0\n.target sm_90\n.address_size 64\n" + declarations + "\n";
    }

    /** A kernel with registers of every kind; the statements start on line 9. */
    static String kernel(String statements) {
        return module(
                """
                .global .b32 global[64];
                .visible .entry k(.param .u64 a, .param .b32 n)
                { .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;
                .reg .f32 %f<20>; .reg .f64 %fd<9>; .reg .v4 .f32 %v; .reg .v2 .b32 %w;
                .reg .b128 %q<3>; .shared .align 8 .b8 tile[512]; .local .b32 depot[4];
                """
                        + statements
                        + "\n}");
    }

    /** Of a function that has one. */
    static List<Statement> body(Function function) {
        return Objects.requireNonNull(function.body(), "only a declaration has no body");
    }

    static List<Instruction> instructions(String statements) {
        return body(Parser.parse(kernel(statements)).kernels().getFirst()).stream()
                .filter(each -> each instanceof Instruction)
                .map(each -> (Instruction) each)
                .toList();
    }

    static Instruction instruction(String statement) {
        return instructions(statement).getFirst();
    }
}
