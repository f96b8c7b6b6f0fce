package facet.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs the classes named {@code *Stress} with jcstress, shortly and in one mode of the JVM. {@code
 * ./facet stress} runs them in all modes; it gives its options as {@code -Dfacet.stress}.
 */
final class StressTest {
    private static final String SHORT =
            "-m quick -sc false -time 500 -iters 2 -hs 512 -jvmArgs -XX:+UseSerialGC";
    private static final int TESTS = 5;

    @Test
    void onlyExpectedOutcomes() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of("target", "stress").toAbsolutePath());
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add("org.openjdk.jcstress.Main");
        command.addAll(List.of("-v", "-r", folder.resolve("report").toString()));
        // jcstress pins its threads through a library.
        command.addAll(List.of("-jvmArgsPrepend", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of(System.getProperty("facet.stress", SHORT).strip().split(" +")));
        int exit =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start()
                        .waitFor();
        List<String> lines = Files.readAllLines(output);
        List<String> results =
                lines.subList(Math.max(0, lines.indexOf("RUN RESULTS:")), lines.size());
        String text = String.join("\n", results);
        System.out.println(text);
        assertEquals(0, exit, text);
        // A test that is not found has no outcomes either.
        assertTrue(text.contains("All remaining tests: "), text);
        if (System.getProperty("facet.stress") == null) {
            assertEquals(TESTS, results.stream().filter(each -> each.contains("[OK]")).count());
        }
    }
}
