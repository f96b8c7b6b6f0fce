package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What people type: {@code facet run -- program}, with nothing else set up. */
class RunCommandTest {
    private static Daemon daemon;

    private final Builder builder = new Builder();

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        daemon = Daemon.start();
    }

    @AfterAll
    static void stop() throws IOException {
        daemon.close();
    }

    private static Outcome run(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Places.NATIVE.resolve("target/bin/facet-run").toString());
        command.addAll(List.of(arguments));
        return Runner.run(
                command, Places.BUILT, Map.of("FACET_RUNTIME_DIR", daemon.directory().toString()));
    }

    private String driver(String name) {
        return builder.driver(Program.of(Places.DRIVER.resolve(name + ".c"))).toString();
    }

    @Test
    void aProgramHasTheSliceThatItWasGiven() throws IOException {
        Outcome outcome = run("--memory", "96MiB", "--", driver("hold_memory"), "50");
        assertEquals(0, outcome.status(), outcome.report());
        Held held = Held.of(outcome.output().strip());
        assertEquals(0, held.result(), outcome.report());
        assertEquals(96L << 20, held.total(), "memory of the slice");
        outcome = run("--memory", "32MiB", "--", driver("hold_memory"), "50");
        assertEquals(2, Held.of(outcome.output().strip()).result(), outcome.report());
    }

    @Test
    void aSliceEndsWithItsProgram() throws IOException, InterruptedException {
        Outcome outcome = run("--name", "passing", "-m", "64M", driver("vector_add"));
        assertEquals(0, outcome.status(), outcome.report());
        for (int i = 0; i < 100 && slices().contains("passing"); i++) {
            Thread.sleep(20);
        }
        assertTrue(!slices().contains("passing"), () -> "slices: " + slices());
    }

    /** The next one is there before the last one is gone. */
    @Test
    void slicesOfOneNameFollowEachOther() {
        for (int i = 0; i < 20; i++) {
            Outcome outcome = run("--name", "again", "-m", "64M", driver("vector_add"));
            assertEquals(0, outcome.status(), outcome.report());
        }
    }

    @Test
    void exitCodesAreTheProgramsOwn() {
        assertEquals(7, run("--", "/bin/sh", "-c", "exit 7").status());
        assertEquals(127, run("--", "no-such-program").status());
        assertEquals(2, run("--memory", "much", "--", "true").status());
    }

    @Test
    void programsOfTheDriverNeedNothingElse() {
        Outcome outcome = run("--compute", "50", "--", driver("vector_add"));
        assertEquals(0, outcome.status(), outcome.report());
        assertEquals("", outcome.errors(), outcome.report());
    }

    @Test
    void cudaProgramsNeedNothingElse() {
        Tools.assumedNvcc();
        Path object =
                builder.object(
                        Program.of(Places.PROGRAMS.resolve("vector_add.cu")), Builder.PTX_ONLY);
        for (Form form : List.of(Form.SHARED, Form.STATIC)) {
            Path program = builder.link("vector_add." + form.word(), object, form, List.of());
            Outcome outcome = run("--compute", "50", "--", program.toString());
            assertEquals(0, outcome.status(), outcome.report());
            assertEquals("", outcome.errors(), outcome.report());
        }
    }

    /** Programs that use no GPU run as always. */
    @Test
    void otherProgramsDoNotNotice() {
        Outcome outcome = run("--", "/bin/sh", "-c", "echo one; echo two >&2");
        assertEquals("one\n", outcome.output());
        assertEquals("two\n", outcome.errors());
    }

    private static List<String> slices() {
        try (Control control = daemon.control()) {
            List<String> names = new ArrayList<>();
            for (JsonNode each : control.ask("slices").path("slices")) {
                names.add(each.path("name").asText());
            }
            return names;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
