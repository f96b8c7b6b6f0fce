package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Programs that together have more device memory than the device. */
@Timeout(300)
@DisabledIfSystemProperty(
        named = "facetd",
        matches = ".*--isolation.process.*",
        disabledReason = "slices in processes of their own are promised no more than there is")
class OversubscriptionTest {
    private static final long DEVICE = 256L << 20;
    private static final int MEBIBYTES = 152; // 60 % of it

    private final Path program =
            new Builder().driver(Program.of(Places.DRIVER.resolve("take_turns.c")));
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(String socket, int seed) throws IOException {
        Process process =
                Runner.start(
                        List.of(
                                program.toString(),
                                Integer.toString(MEBIBYTES),
                                Integer.toString(seed)),
                        Places.BUILT,
                        Slices.environment(socket, false));
        started.add(process);
        assertEquals("ready", process.inputReader().readLine());
        return process;
    }

    /** Microseconds that it took. */
    private static long tell(Process process, String what) throws IOException {
        begin(process, what);
        return end(process);
    }

    private static void begin(Process process, String what) throws IOException {
        Writer writer = process.outputWriter();
        writer.write(what + "\n");
        writer.flush();
    }

    private static long end(Process process) throws IOException {
        String line = process.inputReader().readLine();
        assertTrue(line != null && line.matches("\\d+"), () -> "it said " + line);
        return Long.parseLong(line);
    }

    private static void finish(Process process) throws Exception {
        process.outputWriter().close();
        assertEquals("ok", process.inputReader().readLine());
        assertEquals(0, process.waitFor());
    }

    /** Where the daemon keeps what it has moved out. */
    private static List<String> store(Daemon daemon) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + daemon.process() + "/maps"))) {
            return lines.filter(line -> line.contains("facet-moved-out")).toList();
        }
    }

    private static JsonNode device(Control control) throws IOException {
        JsonNode device = control.ask("devices").path("devices").get(0);
        assertTrue(device.path("resident").asLong() <= DEVICE, device::toString);
        return device;
    }

    private static long resident(Control control, String slice) throws IOException {
        for (JsonNode each : control.ask("slices").path("slices")) {
            if (each.path("name").asText().equals(slice)) {
                return each.path("memoryResident").asLong();
            }
        }
        throw new AssertionError("there is no slice " + slice);
    }

    @Test
    void threeProgramsComputeInTurns() throws Exception {
        try (Daemon daemon = Daemon.start(DEVICE + "");
                Control one = daemon.control();
                Control two = daemon.control();
                Control three = daemon.control();
                Control control = daemon.control()) {
            List<Process> programs = new ArrayList<>();
            programs.add(start(one.slice("one", "160M"), 1));
            programs.add(start(two.slice("two", "160M"), 2));
            programs.add(start(three.slice("three", "160M"), 3));
            for (int round = 0; round < 3; round++) {
                for (Process each : programs) {
                    long first = tell(each, "compute");
                    long again = tell(each, "compute");
                    System.out.println("after a move " + first + " µs, then " + again + " µs");
                    device(control);
                }
            }
            JsonNode device = device(control);
            System.out.println(device);
            assertTrue(device.path("moves").asLong() > 3 * 4, device::toString);
            assertTrue(
                    device.path("movedOut").asLong() >= (3L * MEBIBYTES << 20) - DEVICE,
                    device::toString);
            assertEquals(3, store(daemon).size());
            assertTrue(resident(control, "one") < (long) MEBIBYTES << 20, "one is all there");
            assertTrue(resident(control, "three") >= (long) MEBIBYTES << 20, "three is not");
            // All at once: they take turns, and nothing gets mixed up.
            for (int round = 0; round < 4; round++) {
                for (Process each : programs) {
                    begin(each, "compute");
                }
                for (Process each : programs) {
                    end(each);
                }
            }
            for (Process each : programs) {
                finish(each);
            }
            while (!daemon.sessions().isEmpty()) {
                Thread.sleep(20);
            }
            device = device(control);
            assertEquals(0, device.path("resident").asLong() + device.path("movedOut").asLong());
        }
    }

    @Test
    void anIdleProgramComesBackIntact() throws Exception {
        try (Daemon daemon = Daemon.start(DEVICE + "");
                Control one = daemon.control();
                Control two = daemon.control()) {
            Process idle = start(one.slice("idle", "160M"), 1);
            tell(idle, "compute");
            Process busy = start(two.slice("busy", "160M"), 2);
            for (int i = 0; i < 10; i++) {
                tell(busy, "compute");
            }
            assertTrue(resident(two, "idle") < (long) MEBIBYTES << 20, "nothing was moved");
            assertTrue(device(two).path("moves").asLong() <= 8, "it thrashes");
            tell(idle, "check");
            finish(busy);
            finish(idle);
        }
    }

    /** Killed at any moment, also inside a move: the others do not notice, and nothing is left. */
    @Test
    void aProgramIsKilledWhileItIsMoved() throws Exception {
        try (Daemon daemon = Daemon.start(DEVICE + "");
                Control one = daemon.control();
                Control two = daemon.control()) {
            String socket = one.slice("killed", "160M");
            Process stays = start(two.slice("stays", "160M"), 2);
            for (int i = 0; i < 12; i++) {
                Process killed = start(socket, i);
                begin(killed, "compute");
                begin(stays, "compute");
                Thread.sleep(30L * i);
                killed.destroyForcibly().waitFor();
                end(stays);
            }
            finish(stays);
            while (!daemon.sessions().isEmpty()) {
                Thread.sleep(20);
            }
            JsonNode device = device(two);
            assertEquals(0, device.path("resident").asLong() + device.path("movedOut").asLong());
            assertTrue(daemon.alive());
            assertEquals(List.of(), store(daemon), "host memory is left");
        }
    }
}
