package facet.system.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The compilers of this machine.
 *
 * @param cuda where headers and libraries of CUDA are
 */
record Tools(Optional<Path> nvcc, Optional<Path> cuda, Path compiler) {
    private static final Tools FOUND = find();

    static Tools found() {
        return FOUND;
    }

    private static Tools find() {
        Optional<Path> nvcc = onPath("nvcc");
        Path compiler =
                onPath("cc")
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        "no C compiler: install gcc and libc6-dev"));
        return new Tools(nvcc, directory(nvcc), compiler);
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

    /** Where nvcc takes CUDA from, by its dry run; nvcc may be a link or a wrapper. */
    private static Optional<Path> directory(Optional<Path> nvcc) {
        if (nvcc.isEmpty()) {
            return Optional.empty();
        }
        try {
            Outcome outcome =
                    Runner.build(
                            List.of(
                                    nvcc.get().toString(),
                                    "--dryrun",
                                    "-c",
                                    "/dev/null",
                                    "-x",
                                    "cu"),
                            Places.MODULE);
            for (String line : (outcome.output() + outcome.errors()).lines().toList()) {
                if (line.startsWith("#$ TOP=")) {
                    Path top = Path.of(line.substring("#$ TOP=".length()).strip()).toRealPath();
                    return Optional.of(top);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("nvcc does not say where CUDA is", e);
        }
        return Optional.empty();
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
