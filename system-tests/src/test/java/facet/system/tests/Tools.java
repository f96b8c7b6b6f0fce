package facet.system.tests;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The compilers of this machine.
 *
 * @param cuda where compiler, headers and libraries of CUDA are
 */
record Tools(Optional<Path> cuda, Path compiler) {
    private static final Tools FOUND = find();

    static Tools found() {
        return FOUND;
    }

    private static Tools find() {
        Path compiler =
                onPath("cc")
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        "no C compiler: install gcc and libc6-dev"));
        Outcome cuda = Runner.build(List.of(Places.ROOT + "/testkit/cuda"), Places.MODULE);
        return new Tools(
                Optional.of(cuda).filter(Outcome::ok).map(found -> Path.of(found.output().strip())),
                compiler);
    }

    /** It calls g++ for the host's part of a program. */
    Optional<Path> nvcc() {
        return cuda.filter(folder -> onPath("g++").isPresent())
                .map(folder -> folder.resolve("bin/nvcc"));
    }

    /** Skips the test where there is none. */
    static Path assumedNvcc() {
        assumeTrue(
                found().nvcc().isPresent(),
                "there is no CUDA 13.0 with g++; testkit/cuda --install fetches CUDA");
        return found().nvcc().orElseThrow();
    }

    /** The include directories that a C program needs. */
    List<String> includes() {
        List<String> flags = new ArrayList<>();
        cuda.ifPresent(directory -> flags.add("-I" + directory.resolve("include")));
        flags.add("-I" + Places.NATIVE.resolve("common"));
        flags.add("-I" + Places.GENERATED);
        return flags;
    }

    /** Whether a program can be linked with these flags; distributions package sanitizers apart. */
    boolean sanitizes(List<String> flags) throws IOException {
        Files.createDirectories(Places.BUILT);
        Path source = Places.BUILT.resolve("empty.c");
        Files.writeString(source, "int main(void) { return 0; }\n");
        List<String> command = new ArrayList<>(List.of(compiler.toString()));
        command.addAll(flags);
        command.addAll(List.of(source.toString(), "-o", source + ".sanitized"));
        return Runner.build(command, Places.BUILT).ok();
    }

    static Optional<Path> onPath(String name) {
        for (String directory : System.getenv("PATH").split(":", -1)) {
            Path file = Path.of(directory, name);
            if (Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }
}
