package facet.device.cpu.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is in {@code resources/hostile} once reached memory of others or ended the daemon. Each file
 * says on its first line what must come of it now.
 */
final class HostileKernelsTest {
    private static final Path FILES = Path.of("src/test/resources/hostile");
    private static final String EXPECTATION = "// expect: ";

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(each -> each.toString().endsWith(".ptx")).sorted().toList();
        }
    }

    private static String run(List<Path> files, long rowsAfter)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-Dfacet.rows.after=" + rowsAfter);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(HostileProcess.class.getName());
        files.forEach(each -> command.add(each.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    /** What a fuzzer has found, and what reaches far into the compiler: none of it ends us. */
    @Test
    void keptInputsEndNoProcess() throws IOException, InterruptedException {
        List<Path> files = files(FILES.resolve("fuzz"));
        String output = run(files, 0);
        for (Path each : files) {
            assertTrue(output.contains(each + "\t"), each + " has no line in\n" + output);
        }
    }

    /** With vector code from the first launch on, and with scalar code alone. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void kernelsStayInTheirMemory(long rowsAfter) throws IOException, InterruptedException {
        List<Path> files = files(FILES);
        String output = run(files, rowsAfter);
        List<String> wrong = new ArrayList<>();
        for (Path file : files) {
            String expected = Files.readAllLines(file).getFirst().substring(EXPECTATION.length());
            String line =
                    output.lines()
                            .filter(each -> each.startsWith(file + "\t"))
                            .findFirst()
                            .orElse(file + "\tnothing");
            if (!line.startsWith(file + "\t" + expected)) {
                wrong.add(line + ", but expected " + expected);
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(files.size() > 10, "only " + files);
    }
}
