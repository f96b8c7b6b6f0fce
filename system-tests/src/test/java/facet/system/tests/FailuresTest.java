package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens when a side goes away, and what programs that cannot run are told. */
class FailuresTest {
    private final Builder builder = new Builder();
    private Daemon daemon;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        daemon = Daemon.start();
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
    }

    @Test
    void aDaemonThatIsKilledIsAnErrorSoon() throws IOException, InterruptedException {
        Path waiting = driver("wait_forever");
        try (Control control = daemon.control()) {
            Process process = begin(waiting, control.slice("waiting", "64M"));
            BufferedReader lines = process.inputReader();
            assertEquals("waiting", lines.readLine());
            daemon.kill();
            long killed = System.nanoTime();
            String code = lines.readLine();
            double seconds = (System.nanoTime() - killed) / 1e9;
            assertNotEquals("0", code, "the wait ended well");
            assertTrue(code != null && code.matches("\\d+"), "the program said '" + code + "'");
            // A matter of milliseconds, on a machine that has nothing else to do.
            assertTrue(seconds < 20, "it took %.2f s".formatted(seconds));
            assertNotEquals("then 0", lines.readLine());
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the program does not end");
        }
        daemon.restart();
        Program add = Program.of(Places.DRIVER.resolve("vector_add.c"));
        new Slices(daemon).check(add, builder.driver(add), false);
    }

    @Test
    void aProgramThatIsKilledLeavesNothing() throws IOException, InterruptedException {
        Path waiting = driver("wait_forever");
        try (Control control = daemon.control()) {
            String socket = control.slice("killed", "64M");
            Process process = begin(waiting, socket);
            assertEquals("waiting", process.inputReader().readLine());
            assertEquals(1, daemon.sessions().size(), () -> "sessions: " + sessions());
            process.destroyForcibly().waitFor();
            eventually(() -> daemon.sessions().isEmpty(), "the session is still there");
            // All of the slice can be had again, and its kernel holds nobody up.
            Process next = begin(driver("hold_memory"), socket, "60");
            Held held = Held.of(next);
            next.getOutputStream().close();
            assertEquals(0, held.result(), "60 MiB of 64 could not be had: " + held);
            assertTrue(next.waitFor(60, TimeUnit.SECONDS), "the program does not end");
        }
    }

    @Test
    void sessionsOfASliceShareItsMemoryAndNoOther() throws IOException, InterruptedException {
        Path hold = driver("hold_memory");
        try (Control control = daemon.control()) {
            String one = control.slice("one", "64M");
            String other = control.slice("other", "64M");
            Process first = begin(hold, one, "40");
            assertEquals(0, Held.of(first).result());
            Process second = begin(hold, one, "40");
            assertEquals(2, Held.of(second).result(), "40 and 40 fit in 64");
            Process third = begin(hold, other, "40");
            Held held = Held.of(third);
            assertEquals(0, held.result(), "another slice is not another one");
            assertEquals(64L << 20, held.total(), "what a program sees of its slice");
            first.destroyForcibly().waitFor();
            eventually(() -> daemon.sessions().size() == 2, "the session is still there");
            Process fourth = begin(hold, one, "40");
            assertEquals(0, Held.of(fourth).result(), "not free again");
            for (Process process : List.of(second, third, fourth)) {
                process.getOutputStream().close();
                assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the program does not end");
            }
        }
    }

    @Test
    void withoutADaemonThereIsOneLine() throws IOException {
        Outcome outcome =
                Runner.run(
                        List.of(driver("vector_add").toString()),
                        Places.BUILT,
                        Slices.environment("/nonexistent/socket", false));
        assertEquals(1, outcome.status(), outcome.report());
        assertOneLine(outcome, "/nonexistent/socket");
    }

    @Test
    void withoutPtxThereIsOneLine() throws IOException {
        Tools.assumedNvcc();
        Program add = Program.of(Places.PROGRAMS.resolve("vector_add.cu"));
        Path object = builder.object(add, List.of("-gencode", "arch=compute_75,code=sm_75"));
        for (Form form : Form.values()) {
            Path executable = builder.link("no_ptx." + form.word(), object, form, List.of());
            Outcome outcome = new Slices(daemon).run(executable, form == Form.STATIC);
            assertEquals(1, outcome.status(), outcome.report());
            assertOneLine(outcome, "code=compute_75");
        }
    }

    /** A stripped runtime is known by what it says to tools, but not when its parts are hidden. */
    @Test
    void aStrippedStaticRuntimeThatCannotBeReplacedIsToldSo() throws IOException {
        Tools.assumedNvcc();
        Program add = Program.of(Places.PROGRAMS.resolve("vector_add.cu"));
        Path object = builder.object(add, Builder.PTX_ONLY);
        Path executable = builder.link("stripped.static", object, Form.STATIC, List.of("-s"));
        Outcome outcome = new Slices(daemon).run(executable, true);
        assertEquals(0, outcome.status(), outcome.report());
        assertEquals("", outcome.errors(), outcome.report());
        Path hidden = executable.resolveSibling("hidden.static");
        List<String> command =
                List.of(
                        "objcopy",
                        "--rename-section",
                        ".nvFatBinSegment=.elsewhere",
                        executable.toString(),
                        hidden.toString());
        outcome = Runner.run(command, Places.BUILT, Map.of());
        assertEquals(0, outcome.status(), outcome.report());
        outcome = new Slices(daemon).run(hidden, true);
        assertNotEquals(0, outcome.status(), outcome.report());
        assertOneLine(outcome, "-cudart shared");
    }

    private static void assertOneLine(Outcome outcome, String part) {
        List<String> lines = outcome.errors().lines().toList();
        assertEquals(1, lines.size(), outcome.report());
        assertTrue(lines.getFirst().startsWith("facet: "), outcome.report());
        assertTrue(lines.getFirst().contains(part), outcome.report());
    }

    private Path driver(String name) {
        return builder.driver(Program.of(Places.DRIVER.resolve(name + ".c")));
    }

    private static Process begin(Path program, String socket, String... arguments)
            throws IOException {
        List<String> command = new java.util.ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Map<String, String> environment = Slices.environment(socket, false);
        return Runner.start(command, Places.BUILT, environment);
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void eventually(Condition condition, String otherwise)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.holds()) {
            assertTrue(System.nanoTime() < end, otherwise);
            Thread.sleep(20);
        }
    }

    private String sessions() {
        try {
            return daemon.sessions().toString();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
