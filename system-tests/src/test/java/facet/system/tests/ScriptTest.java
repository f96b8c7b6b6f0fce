package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ./facet of the sources, in a folder where a script stands in for Maven. */
class ScriptTest {
    @TempDir private Path root;

    private Path builds;
    private Path mayEnd;

    @BeforeEach
    void copy() throws IOException {
        for (String each :
                List.of(
                        "facet",
                        "pom.xml",
                        "packaging/launcher.bash",
                        "packaging/work-help.bash",
                        "packaging/machine.bash",
                        "packaging/set-up.bash",
                        "packaging/build")) {
            Files.createDirectories(root.resolve(each).getParent());
            Files.copy(Places.ROOT.resolve(each), root.resolve(each));
        }
        builds = root.resolve("builds");
        mayEnd = root.resolve("may-end");
        // Says so when another one is at work in the same folder.
        Path maven = root.resolve("maven/bin/mvn");
        Files.createDirectories(maven.getParent());
        Files.writeString(
                maven,
                """
                #!/bin/sh
                mkdir '%1$s/working' || echo 'two at once' >> '%2$s'
                echo begun >> '%2$s'
                while [ ! -e '%3$s' ]; do sleep 0.05; done
                rmdir '%1$s/working'
                """
                        .formatted(root, builds, mayEnd));
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "test",
                "stress",
                "filetest",
                "bless",
                "explore",
                "fmt",
                "lint",
                "bench",
                "screenshots",
                "package"
            })
    void helpOfEachCommand(String command) {
        Outcome outcome = facet(command, "--help");
        assertEquals(0, outcome.status(), outcome.report());
        assertTrue(outcome.output().startsWith("Usage: facet "), outcome.report());
        assertTrue(outcome.output().contains("facet " + command), outcome.report());
        assertFalse(Files.exists(builds), "nothing is built for help");
    }

    @Test
    void whatACommandDoesNotTakeIsWrongUsage() {
        for (List<String> each :
                List.of(
                        List.of("lint", "--fast"),
                        List.of("fmt", "ptx"),
                        List.of("test", "--fast"),
                        List.of("test", "nowhere"),
                        List.of("test", "ptx", "jit"))) {
            Outcome outcome = facet(each.toArray(String[]::new));
            assertEquals(2, outcome.status(), outcome.report());
        }
        assertFalse(Files.exists(builds), "nothing is built for what is refused");
    }

    /** It answers what is asked about the machine, wherever it stands. */
    @Test
    void yesIsNoArgumentOfTheCommand() throws IOException {
        Files.createFile(mayEnd);
        Outcome outcome = facet("fmt", "--yes");
        assertEquals(0, outcome.status(), outcome.report());
        assertEquals("begun\n", Files.readString(builds));
    }

    @Test
    void twoAtOnceTakeTurns() throws Exception {
        CompletableFuture<Outcome> first = begin("fmt");
        until(() -> Files.exists(builds));
        Path errors = root.resolve("errors");
        ProcessBuilder again = new ProcessBuilder(root.resolve("facet").toString(), "fmt");
        again.environment().putAll(environment());
        Process second = again.redirectError(errors.toFile()).start();
        until(() -> Files.readString(errors).contains("waiting"));
        assertTrue(
                Files.readString(errors)
                        .matches("facet: waiting for ./facet fmt \\(process \\d+\\), which .*\n"),
                Files.readString(errors));
        Files.createFile(mayEnd);
        assertEquals(0, first.join().status(), first.join().report());
        assertTrue(second.waitFor(60, TimeUnit.SECONDS), "it had its turn");
        assertEquals("begun\nbegun\n", Files.readString(builds));
    }

    private CompletableFuture<Outcome> begin(String... arguments) {
        return CompletableFuture.supplyAsync(() -> facet(arguments));
    }

    private Outcome facet(String... arguments) {
        List<String> command = new java.util.ArrayList<>(List.of(root.resolve("facet").toString()));
        command.addAll(List.of(arguments));
        return Runner.run(command, root, environment());
    }

    private Map<String, String> environment() {
        return Map.of(
                "MAVEN_HOME",
                root.resolve("maven").toString(),
                "JAVA_HOME",
                System.getProperty("java.home"));
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void until(Condition condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.holds()) {
            assertTrue(System.nanoTime() < end, "it did not come to that within a minute");
            Thread.sleep(10);
        }
    }
}
