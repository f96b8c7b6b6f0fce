package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory of a slice, as its programs, NVML and the daemon count it. */
@SuppressWarnings("NullAway.Init") // JUnit fills in the parameter, and begins before all tests
@ParameterizedClass(name = "isolation {0}")
@ValueSource(strings = {"shared", "process"})
class LimitsTest {
    private static final long MEBIBYTE = 1L << 20;

    /** Of a watcher: that of the driver and that of NVML. */
    private static final int WATCHING = 2;

    @Parameter String isolation;

    private final Builder builder = new Builder();

    private Path driver(String name) {
        return builder.driver(Program.of(Places.DRIVER.resolve(name + ".c")));
    }

    private static Process begin(Path program, String socket, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return Runner.start(command, Places.BUILT, Slices.environment(socket, false));
    }

    /** A program of the slice that says what it sees, of the driver and NVML alike. */
    private final class Watcher implements AutoCloseable {
        private final Process process;
        private final BufferedReader lines;
        private List<Long> seen;

        Watcher(String socket) throws IOException {
            process = begin(driver("watch_memory"), socket);
            lines = process.inputReader();
            seen = read();
        }

        private List<Long> read() throws IOException {
            String line = String.valueOf(lines.readLine());
            assertTrue(line.matches("\\d+ \\d+( \\d+ \\d+)*"), "it said '" + line + "'");
            return Stream.of(line.split(" ", -1)).map(Long::parseLong).toList();
        }

        /** Looks again. */
        void look() throws IOException {
            process.outputWriter().write("\n");
            process.outputWriter().flush();
            seen = read();
        }

        long available(int device) {
            return seen.get(2 * device);
        }

        long total(int device) {
            return seen.get(2 * device + 1);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private static JsonNode row(Control control, String slice) throws IOException {
        for (JsonNode each : control.ask("slices").path("slices")) {
            if (each.path("name").asText().equals(slice)) {
                return each;
            }
        }
        throw new AssertionError("there is no slice " + slice);
    }

    private static void awaitSessions(Daemon daemon, int count)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (daemon.sessions().size() != count) {
            assertTrue(System.nanoTime() < end, () -> "not " + count + " sessions");
            Thread.sleep(10);
        }
    }

    @Test
    void theDaemonCountsWhatProgramsSee() throws IOException, InterruptedException {
        try (Daemon daemon = Daemon.start("2G", "--isolation", isolation);
                Control control = daemon.control()) {
            String socket = control.slice("sums", "64M");
            try (Watcher watcher = new Watcher(socket)) {
                Process first = begin(driver("hold_memory"), socket, "13");
                Process second = begin(driver("hold_memory"), socket, "30");
                assertEquals(0, Held.of(first).result());
                assertEquals(0, Held.of(second).result());
                watcher.look();
                assertEquals(21 * MEBIBYTE, watcher.available(0));
                assertEquals(43 * MEBIBYTE, row(control, "sums").path("memoryUsed").asLong());
                second.destroyForcibly();
                awaitSessions(daemon, WATCHING + 1);
                watcher.look();
                assertEquals(51 * MEBIBYTE, watcher.available(0));
                assertEquals(13 * MEBIBYTE, row(control, "sums").path("memoryUsed").asLong());
                first.destroyForcibly();
            }
        }
    }

    @Test
    void programsFollowTheLimit() throws IOException, InterruptedException {
        try (Daemon daemon = Daemon.start("2G", "--isolation", isolation);
                Control control = daemon.control()) {
            control.ask("slice-create name=changed memory=64M");
            String socket = row(control, "changed").path("socket").asText();
            try (Watcher watcher = new Watcher(socket)) {
                assertEquals(64 * MEBIBYTE, watcher.total(0));
                Process holder = begin(driver("hold_memory"), socket, "40");
                assertEquals(0, Held.of(holder).result());
                control.ask("slice-set name=changed memory=128M");
                watcher.look();
                assertEquals(128 * MEBIBYTE, watcher.total(0));
                assertEquals(88 * MEBIBYTE, watcher.available(0));
                control.ask("slice-set name=changed memory=32M");
                watcher.look();
                assertEquals(32 * MEBIBYTE, watcher.total(0));
                assertEquals(0, watcher.available(0), "more is taken than there may be");
                holder.destroyForcibly();
                awaitSessions(daemon, WATCHING);
                watcher.look();
                assertEquals(32 * MEBIBYTE, watcher.available(0));
            }
        }
    }

    @Test
    void programsThatAreKilledAtAnyMomentLeaveNoByte() throws IOException, InterruptedException {
        long seed = Long.getLong("facet.seed", 20261117);
        Random random = new Random(seed);
        String where = "seed " + seed + ", round ";
        try (Daemon daemon = Daemon.start("2G", "--isolation", isolation);
                Control control = daemon.control()) {
            String socket = control.slice("killed", "96M");
            try (Watcher watcher = new Watcher(socket)) {
                for (int round = 0; round < 20; round++) {
                    Process one = begin(driver("churn"), socket, "" + random.nextInt(1 << 30));
                    Process two = begin(driver("churn"), socket, "" + random.nextInt(1 << 30));
                    // Some are killed while they begin.
                    if (round % 4 != 0) {
                        assertEquals("begins", one.inputReader().readLine());
                    }
                    Thread.sleep(random.nextInt(80));
                    one.destroyForcibly().waitFor();
                    Thread.sleep(random.nextInt(20));
                    two.destroyForcibly().waitFor();
                    awaitSessions(daemon, WATCHING);
                    watcher.look();
                    assertEquals(96 * MEBIBYTE, watcher.available(0), where + round);
                    assertEquals(
                            0, row(control, "killed").path("memoryUsed").asLong(), where + round);
                }
            }
        }
    }

    @Test
    void theLimitHoldsOnEveryDevice() throws IOException, InterruptedException {
        try (Daemon daemon = Daemon.start("2G", "--devices", "2", "--isolation", isolation);
                Control control = daemon.control()) {
            String socket =
                    control.ask("run name=pair memory=64M devices=2").path("socket").asText();
            try (Watcher watcher = new Watcher(socket)) {
                assertEquals(64 * MEBIBYTE, watcher.total(0));
                assertEquals(64 * MEBIBYTE, watcher.total(1));
                Process holder = begin(driver("hold_memory"), socket, "60");
                assertEquals(0, Held.of(holder).result());
                Process second = begin(driver("hold_memory"), socket, "60");
                assertEquals(2, Held.of(second).result(), "60 and 60 fit on a device with 64");
                watcher.look();
                assertEquals(4 * MEBIBYTE, watcher.available(0));
                assertEquals(64 * MEBIBYTE, watcher.available(1));
                holder.destroyForcibly();
                second.destroyForcibly();
            }
        }
    }
}
