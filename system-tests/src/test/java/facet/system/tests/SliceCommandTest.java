package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slices that stay, changed while programs run in them. */
@Timeout(300)
class SliceCommandTest {
    private static final long MEBIBYTE = 1L << 20;
    private static final int OUT_OF_MEMORY = 2;

    private final Builder builder = new Builder();
    private static Daemon daemon;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        daemon = Daemon.start();
    }

    /** As it was when it began. */
    @AfterEach
    void tidy() throws IOException, InterruptedException {
        ask("apply prune=true force=true document=slices%3A%20%5B%5D");
        while (ask("slices").path("slices").size() > 1 || !daemon.sessions().isEmpty()) {
            Thread.sleep(5);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        daemon.close();
    }

    private JsonNode ask(String line) throws IOException {
        try (Control control = daemon.control()) {
            return control.ask(line);
        }
    }

    private JsonNode slice(String name) throws IOException {
        for (JsonNode each : ask("slices").path("slices")) {
            if (each.path("name").asText().equals(name)) {
                return each;
            }
        }
        throw new AssertionError("there is no slice " + name);
    }

    private boolean isThere(String name) throws IOException {
        return ask("slices").path("slices").findValuesAsText("name").contains(name);
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Places.NATIVE.resolve("target/bin/facet-run").toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private Map<String, String> environment() {
        return Map.of("FACET_RUNTIME_DIR", daemon.directory().toString());
    }

    /** The program live_memory in a slice. */
    private final class Live implements AutoCloseable {
        private final Process process;
        private final BufferedReader output;
        private final Writer input;

        Live(String slice) throws IOException {
            String program =
                    builder.driver(Program.of(Places.DRIVER.resolve("live_memory.c"))).toString();
            process =
                    Runner.start(
                            command("--slice", slice, "--", program), Places.BUILT, environment());
            output = process.inputReader();
            input = process.outputWriter();
        }

        Held ask(String line) throws IOException {
            input.write(line + "\n");
            input.flush();
            return Held.of(output.readLine());
        }

        @Override
        public void close() throws IOException {
            input.close();
            try {
                if (!process.waitFor(60, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void memoryChangesWhileAProgramUsesIt() throws Exception {
        ask("slice-create name=live memory=64M");
        try (Live live = new Live("live");
                Live other = new Live("live")) {
            assertEquals(64 * MEBIBYTE, live.ask("info").total());
            assertEquals(0, live.ask("take 40").result());
            assertEquals(OUT_OF_MEMORY, other.ask("take 40").result());

            ask("slice-set name=live memory=128M");
            Held more = other.ask("take 60");
            assertEquals(0, more.result(), "there is more now");
            assertEquals(128 * MEBIBYTE, more.total());
            assertEquals(28 * MEBIBYTE, more.available());

            // Less than is in use: nobody loses anything, nobody gets more.
            ask("slice-set name=live memory=50M");
            Held less = live.ask("take 1");
            assertEquals(OUT_OF_MEMORY, less.result());
            assertEquals(50 * MEBIBYTE, less.total());
            assertEquals(0, less.available());
            Thread.sleep(1500);
            assertEquals(0, live.ask("info").result());
            assertEquals(100 * MEBIBYTE, slice("live").path("memoryUsed").asLong());
            assertEquals(2, slice("live").path("sessions").asInt(), "an honest one was ended");

            // It fits again when enough was given back.
            assertEquals(0, other.ask("give").result());
            assertEquals(0, other.ask("take 10").result());
            assertEquals(OUT_OF_MEMORY, other.ask("take 1").result());
            assertEquals(0, live.ask("info").available());
        }
    }

    @Test
    void computeChangesWhileAProgramRuns() throws Exception {
        ask("slice-create name=live memory=64M compute=50");
        try (Live live = new Live("live")) {
            assertEquals(0, live.ask("take 8").result());
            for (String terms : List.of("compute=5", "policy=burst", "policy=fixed compute=90")) {
                ask("slice-set name=live " + terms);
                assertEquals(0, live.ask("take 1").result(), terms);
            }
            assertEquals(90, slice("live").path("promised").asInt());
            assertThrows(IOException.class, () -> ask("slice-create name=second compute=11"));
            ask("slice-create name=second compute=10");
        }
    }

    @Test
    void slicesComeBackAfterAKill() throws Exception {
        ask("slice-create name=a memory=64M compute=30 policy=burst");
        ask("slice-create name=b memory=32M");
        ask("slice-set name=a memory=96M");
        ask("slice-set name=default memory=1G");
        ask("slice-delete name=b");
        daemon.kill();
        daemon.restart();
        assertEquals(96 * MEBIBYTE, slice("a").path("memory").asLong());
        assertEquals("burst", slice("a").path("policy").asText());
        assertEquals(1024 * MEBIBYTE, slice("default").path("memory").asLong());
        assertThrows(AssertionError.class, () -> slice("b"));
        try (Live live = new Live("a")) {
            assertEquals(96 * MEBIBYTE, live.ask("info").total());
        }
    }

    @Test
    void aSliceInUseIsNotDeletedUnlessForced() throws Exception {
        ask("slice-create name=busy memory=64M");
        try (Live live = new Live("busy")) {
            assertEquals(0, live.ask("take 8").result());
            IOException refused =
                    assertThrows(IOException.class, () -> ask("slice-delete name=busy"));
            String why = String.valueOf(refused.getMessage());
            assertTrue(why.contains("1 program uses"), why);
            assertEquals(0, live.ask("take 8").result());
            ask("slice-delete name=busy force=true");
            // What ran in it may take longer to end than the command waits for.
            while (isThere("busy")) {
                Thread.sleep(5);
            }
            assertTrue(live.process.isAlive() || live.process.waitFor() != 0);
        }
    }

    @Test
    void theSampleOfTheManualCanBeApplied() throws Exception {
        String sample = Files.readString(Places.ROOT.resolve("docs/slices.yaml"));
        String document = URLEncoder.encode(sample, StandardCharsets.UTF_8).replace("+", "%20");
        JsonNode first = ask("apply document=" + document);
        assertTrue(first.path("slices").size() >= 5, first.toString());
        for (JsonNode each : first.path("slices")) {
            assertEquals("created", each.path("action").asText(), each.toString());
        }
        for (JsonNode each : ask("apply prune=true document=" + document).path("slices")) {
            assertEquals("unchanged", each.path("action").asText(), each.toString());
        }
    }

    @Test
    void runFindsSlicesAndSaysWhenThereIsNone() throws Exception {
        Outcome none =
                Runner.run(command("--slice", "nobody", "true"), Places.BUILT, environment());
        assertEquals(1, none.status(), none.report());
        assertTrue(none.errors().contains("there is no slice 'nobody'"), none.report());
        for (String[] wrong :
                new String[][] {
                    {"--slice", "../x", "true"},
                    {"--slice", "a", "--memory", "1G", "true"},
                    {"--priority", "", "true"}
                }) {
            Outcome outcome = Runner.run(command(wrong), Places.BUILT, environment());
            assertEquals(2, outcome.status(), outcome.report());
        }
        Outcome policy =
                Runner.run(command("--policy", "sometimes", "true"), Places.BUILT, environment());
        assertEquals(1, policy.status(), policy.report());
        assertTrue(policy.errors().contains("there is no policy 'sometimes'"), policy.report());
    }

    /** A promise that a program had is free when the next one asks. */
    @Test
    void promisesOfProgramsFollowEachOther() {
        String program =
                builder.driver(Program.of(Places.DRIVER.resolve("vector_add.c"))).toString();
        for (int i = 0; i < 10; i++) {
            Outcome outcome =
                    Runner.run(
                            command("--compute", "80", "-m", "64M", "--", program),
                            Places.BUILT,
                            environment());
            assertEquals(0, outcome.status(), outcome.report());
        }
    }
}
