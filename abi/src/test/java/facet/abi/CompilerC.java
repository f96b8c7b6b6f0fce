package facet.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The C compiler of this machine. Tests that need it are skipped where there is none. */
public final class CompilerC {
    static final Path GENERATED = Path.of("target/generated/c").toAbsolutePath();

    private CompilerC() {}

    /** Skips the test where there is none. */
    public static CompilerC assumed() {
        assumeTrue(isOnPath("cc"), "there is no C compiler (cc) on PATH");
        return new CompilerC();
    }

    public static boolean isOnPath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    public void compile(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("cc", "-std=gnu11", "-I", GENERATED.toString()));
        command.addAll(List.of(arguments));
        run(command.toArray(String[]::new));
    }

    /** What the command prints; the test fails when it fails. */
    public static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> String.join(" ", command) + "\n" + output);
        return output;
    }
}
