package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The direct engine on a driver that does what a vendor's does not do on demand: it has calls that
 * no table knows, and calls that fail, hang and crash. native/test/direct has both sides.
 */
@SuppressWarnings("NullAway.Init") // begins before all tests
class DirectEngineTest {
    private static final String MEMORY = "64M";
    private static final Path TESTS = Places.ROOT.resolve("native/target/test");
    private static final Path CLIENT = TESTS.resolve("direct");
    private static final Path VENDOR = TESTS.resolve("vendor");
    private static final Path RUN = Places.ROOT.resolve("native/target/bin/facet-run");

    private static Daemon daemon;
    private static Path written;
    private static String uuid;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        daemon = Daemon.start("1G", "--http", "off");
        written = Files.createTempDirectory("facet-direct-");
        DirectEngine.write(VENDOR.resolve("libcuda.so.1"), written);
        try (Control control = daemon.control()) {
            uuid = control.ask("devices").at("/devices/0/uuid").asText().replaceAll("^GPU-|-", "");
        }
    }

    @AfterAll
    static void stop() throws IOException {
        daemon.close();
        Files.deleteIfExists(written.resolve("libfacet-unruled.so.1"));
        Files.deleteIfExists(written);
    }

    private static Map<String, String> environment(String socket, Map<String, String> more) {
        Map<String, String> all =
                DirectEngine.environment(written, VENDOR, "/nowhere", socket, false);
        all.put("FAKE_UUID", uuid);
        all.putAll(more);
        return all;
    }

    /** In a slice of its own, which has all of its memory again afterwards. */
    private static Outcome run(Map<String, String> more, String... arguments) throws IOException {
        try (Control control = daemon.control()) {
            String name = Slices.name("direct-" + arguments[0]);
            String socket = control.directSlice(name, MEMORY);
            Outcome outcome = run(socket, more, arguments);
            assertEquals(0, memoryUsed(name), outcome.report());
            return outcome;
        }
    }

    private static Outcome run(String socket, Map<String, String> more, String... arguments) {
        List<String> command = new ArrayList<>(List.of(CLIENT.toString()));
        command.addAll(List.of(arguments));
        return Runner.run(command, TESTS, environment(socket, more));
    }

    private static JsonNode slice(String name) throws IOException {
        try (Control control = daemon.control()) {
            for (JsonNode each : control.ask("slices").path("slices")) {
                if (each.path("name").asText().equals(name)) {
                    return each;
                }
            }
        }
        throw new AssertionError("there is no slice " + name);
    }

    /** Of a slice whose programs have ended: it may take the daemon a moment to see that. */
    private static long memoryUsed(String name) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        JsonNode slice = slice(name);
        while ((slice.path("sessions").asInt() > 0 || slice.path("memoryUsed").asLong() > 0)
                && System.nanoTime() < end) {
            pause();
            slice = slice(name);
        }
        return slice.path("memoryUsed").asLong();
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static void assertOk(Outcome outcome) {
        assertTrue(outcome.ok() && outcome.output().endsWith("ok\n"), outcome.report());
    }

    private static void assertQuiet(Outcome outcome) {
        assertOk(outcome);
        assertEquals("", outcome.errors());
    }

    /** Integers, floats, structures and lists of arguments arrive as they were given. */
    @Test
    void unknownCallsPassUnharmedAndAreCounted() throws IOException {
        try (Control control = daemon.control()) {
            String name = Slices.name("unknown");
            assertQuiet(run(control.directSlice(name, MEMORY), Map.of(), "unknown"));
            assertEquals(0, memoryUsed(name));
            StringBuilder counted = new StringBuilder();
            for (JsonNode each : control.ask("unsupported").path("unsupported")) {
                if (each.path("slice").asText().equals(name)) {
                    counted.append(each.path("kind").asText())
                            .append(' ')
                            .append(each.path("name").asText())
                            .append(' ')
                            .append(each.path("count").asLong())
                            .append('\n');
                }
            }
            assertEquals(
                    """
                    unruled cuFutureList 2
                    unruled cuFutureFloats 1
                    unruled cuFutureIntegers 1
                    unruled cuFutureStructure 1
                    """,
                    counted.toString());
        }
    }

    @Test
    void strictSlicesRefuseThem() throws IOException {
        try (Control control = daemon.control()) {
            String name = Slices.name("strict");
            String socket =
                    control.ask(
                                    "run name="
                                            + name
                                            + " memory="
                                            + MEMORY
                                            + " engine=direct strict=yes")
                            .path("socket")
                            .asText();
            Outcome outcome = run(socket, Map.of(), "strict");
            assertOk(outcome);
            assertTrue(
                    outcome.errors().contains("cuFutureList has no rule, and this slice is strict"),
                    outcome.report());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"charges", "forks", "execs", "errors"})
    void memoryIsCharged(String what) throws IOException {
        assertQuiet(run(Map.of(), what));
    }

    @Test
    void arraysAreChargedAsTheDriverLaysThemOut() throws IOException {
        assertQuiet(run(Map.of("FAKE_LAYOUT", "1"), "pads"));
    }

    /** Others have all but 24 MiB of the device; the slice has 64. */
    @ParameterizedTest
    @ValueSource(strings = {"pages last", "pages first", "none last"})
    void whatTheDeviceHasNoRoomForIsManaged(String how) throws IOException {
        boolean pages = how.startsWith("pages");
        Map<String, String> full = Map.of("FAKE_TAKEN", "1000", "FAKE_PAGES", pages ? "1" : "0");
        try (Control control = daemon.control()) {
            String name = Slices.name("direct-managed");
            String policy = how.endsWith("first") ? " policy=priority priority=5" : "";
            String socket =
                    control.ask("run name=" + name + " memory=64M engine=direct" + policy)
                            .path("socket")
                            .asText();
            String[] words = how.split(" ", -1);
            Outcome outcome = run(socket, full, "oversubscribes", words[0], words[1]);
            assertOk(outcome);
            assertEquals(pages, outcome.errors().contains("is managed"), outcome.report());
            assertEquals(0, memoryUsed(name), outcome.report());
        }
    }

    /** Also where the driver gives functions that it does not export. */
    @Test
    void pointersObeyTheRules() throws IOException {
        assertQuiet(run(Map.of(), "pointers"));
        assertQuiet(run(Map.of("FAKE_HIDDEN", "1"), "pointers"));
    }

    @Test
    void loadingByPathGivesTheEngine() throws IOException {
        Map<String, String> preload =
                Map.of("LD_PRELOAD", DirectEngine.LIBRARIES.resolve("libfacet-direct.so") + "");
        assertQuiet(run(preload, "by-path", VENDOR.resolve("libcuda.so.1").toString()));
    }

    static List<String> vendorsCalls() throws IOException {
        Matcher matcher =
                Pattern.compile("(?m)^EXPORT CUresult (cu\\w+)\\([^\n]*\n\\{\n    BEGIN;")
                        .matcher(
                                Files.readString(
                                        Places.ROOT.resolve("native/test/direct/vendor.c")));
        return matcher.results().map(each -> each.group(1)).toList();
    }

    /** What was not given is not charged, and what was not taken back stays charged. */
    @ParameterizedTest
    @MethodSource("vendorsCalls")
    void aCallThatFailsLosesNoAccounting(String call) throws IOException {
        Outcome outcome = run(Map.of("FAKE_TROUBLE", "error:" + call), "errors");
        assertOk(outcome);
    }

    private static String firstLine(Process process) throws IOException {
        BufferedReader reader =
                new BufferedReader(
                        new java.io.InputStreamReader(
                                process.getInputStream(), StandardCharsets.UTF_8));
        return String.valueOf(reader.readLine());
    }

    /** A program that hangs in its driver, or is killed, holds up nobody; its memory comes back. */
    @ParameterizedTest
    @ValueSource(strings = {"", "hang:cuMemAllocManaged", "hang:cuCtxSynchronize"})
    void killedProgramsGiveEverythingBack(String trouble) throws Exception {
        try (Control control = daemon.control()) {
            String name = Slices.name("killed");
            String socket = control.directSlice(name, MEMORY);
            Map<String, String> more =
                    trouble.isEmpty() ? Map.of() : Map.of("FAKE_TROUBLE", trouble);
            Process process =
                    Runner.start(
                            List.of(CLIENT.toString(), "hold"), TESTS, environment(socket, more));
            assertEquals("holds", firstLine(process));
            assertTrue(slice(name).path("memoryUsed").asLong() >= 48L << 20);
            // Others go on meanwhile, in this slice and in another one.
            Outcome beside = run(socket, Map.of(), "whole");
            assertFalse(beside.ok(), beside.report());
            assertQuiet(run(Map.of(), "charges"));
            process.destroyForcibly().waitFor();
            assertEquals(0, memoryUsed(name));
            assertQuiet(run(socket, Map.of(), "whole"));
        }
    }

    @Test
    void aCrashInTheDriverGivesEverythingBack() throws IOException {
        Outcome outcome = run(Map.of("FAKE_TROUBLE", "crash:cuArrayCreate_v2"), "charges");
        assertFalse(outcome.ok(), outcome.report());
        assertQuiet(run(Map.of(), "charges"));
    }

    /** No driver, one without calls, and the engine itself in its place. */
    @Test
    void aDriverThatIsNoneIsSaidToBeSo() throws IOException {
        assertFails(TESTS.resolve("nowhere"), "finds no libcuda.so.1 of a vendor's driver");
        assertFails(TESTS.resolve("broken"), "is not a CUDA driver: it has no cuInit");
    }

    private static void assertFails(Path vendor, String reason) throws IOException {
        Map<String, String> more = Map.of("FACET_VENDOR_LIBRARIES", vendor.toString());
        Outcome outcome = run(more, "fails");
        assertOk(outcome);
        assertTrue(outcome.errors().contains(reason), outcome.report());
    }

    @Test
    void withoutADaemonThereIsNoDevice() {
        Outcome outcome = run("/nowhere/socket", Map.of(), "fails");
        assertOk(outcome);
        assertTrue(outcome.errors().contains("no GPU slice at /nowhere/socket"), outcome.report());
    }

    /** facet run writes the library for unknown calls itself, and says what it cannot do. */
    @Test
    void facetRun() {
        Map<String, String> environment =
                Map.of(
                        "FACET_RUNTIME_DIR", daemon.directory().toString(),
                        "FACET_VENDOR_LIBRARIES", VENDOR.toString(),
                        "FAKE_UUID", uuid);
        List<String> command =
                List.of(
                        RUN.toString(),
                        "--engine",
                        "direct",
                        "--memory",
                        "64MiB",
                        "--",
                        CLIENT.toString());
        for (String what : List.of("unknown", "charges")) {
            List<String> all = new ArrayList<>(command);
            all.add(what);
            assertQuiet(Runner.run(all, TESTS, environment));
        }
        Outcome nothing =
                Runner.run(
                        command,
                        TESTS,
                        Map.of(
                                "FACET_RUNTIME_DIR", daemon.directory().toString(),
                                "FACET_VENDOR_LIBRARIES", TESTS.resolve("nowhere").toString()));
        assertEquals(1, nothing.status());
        assertTrue(
                nothing.errors().contains("finds no libcuda.so.1 of a vendor's driver"),
                nothing.report());
    }

    @Test
    void explainTellsTheEngineAndWhy() throws IOException {
        try (Control control = daemon.control()) {
            JsonNode whole = control.ask("slice-explain name=default");
            assertEquals("forwarded", whole.path("engine").asText());
            assertTrue(whole.path("engineReason").asText().contains("software GPU"));
            String name = Slices.name("explained");
            assertEquals(
                    "direct",
                    control.ask("run name=" + name + " engine=direct").path("engine").asText());
            JsonNode direct = control.ask("slice-explain name=" + name);
            assertEquals("direct", direct.path("engineSaid").asText());
            assertTrue(direct.path("engineReason").asText().contains("no boundary"));
        }
    }
}
