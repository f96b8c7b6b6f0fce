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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that together have more device memory than the device. */
@Timeout(300)
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

    /** Which process executes the programs of each slice, the first of them first. */
    enum Where {
        SHARED("shared", "shared"),
        PROCESS("process", "process"),
        MIXED("process", "shared");

        private final String first;
        private final String next;

        Where(String first, String next) {
            this.first = first;
            this.next = next;
        }

        private String slice(Control control, String name, boolean isFirst) throws IOException {
            String isolation = isFirst ? first : next;
            return control.ask("run name=" + name + " memory=160M isolation=" + isolation)
                    .path("socket")
                    .asText();
        }
    }

    /** Where the daemon and workers keep what they have moved out. */
    private static List<String> store(Daemon daemon, Control control) throws IOException {
        List<Long> processes = new ArrayList<>(List.of(daemon.process()));
        for (JsonNode each : control.ask("slices").path("slices")) {
            if (each.has("workerPid")) {
                processes.add(each.path("workerPid").asLong());
            }
        }
        List<String> all = new ArrayList<>();
        for (long each : processes) {
            try (Stream<String> lines = Files.lines(Path.of("/proc/" + each + "/maps"))) {
                all.addAll(lines.filter(line -> line.contains("facet-moved-out")).toList());
            }
        }
        return all;
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

    @ParameterizedTest
    @EnumSource
    void threeProgramsComputeInTurns(Where where) throws Exception {
        try (Daemon daemon = Daemon.start(DEVICE + "");
                Control one = daemon.control();
                Control two = daemon.control();
                Control three = daemon.control();
                Control control = daemon.control()) {
            List<Process> programs = new ArrayList<>();
            programs.add(start(where.slice(one, "one", true), 1));
            programs.add(start(where.slice(two, "two", false), 2));
            programs.add(start(where.slice(three, "three", true), 3));
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
            assertEquals(3, store(daemon, control).size());
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

    @ParameterizedTest
    @EnumSource
    void anIdleProgramComesBackIntact(Where where) throws Exception {
        try (Daemon daemon = Daemon.start(DEVICE + "");
                Control one = daemon.control();
                Control two = daemon.control()) {
            Process idle = start(where.slice(one, "idle", true), 1);
            tell(idle, "compute");
            Process busy = start(where.slice(two, "busy", false), 2);
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
    @ParameterizedTest
    @EnumSource
    void aProgramIsKilledWhileItIsMoved(Where where) throws Exception {
        try (Daemon daemon = Daemon.start(DEVICE + "");
                Control one = daemon.control();
                Control two = daemon.control()) {
            String socket = where.slice(one, "killed", true);
            Process stays = start(where.slice(two, "stays", false), 2);
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
            assertEquals(List.of(), store(daemon, two), "host memory is left");
        }
    }
}
