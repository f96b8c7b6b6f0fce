package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prefetching and advice decide whose managed memory is on a device that has not room for all. */
@Timeout(300)
class ManagedMovesTest {
    private static final long DEVICE = 128L << 20;
    private static final long BYTES = 72L << 20;

    private final Path program =
            new Builder().driver(Program.of(Places.DRIVER.resolve("managed_turns.c")));
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(Control control, String name, String isolation) throws IOException {
        String socket =
                control.ask("run name=" + name + " memory=100M isolation=" + isolation)
                        .path("socket")
                        .asText();
        Process process =
                Runner.start(
                        List.of(program.toString(), Long.toString(BYTES >> 20)),
                        Places.BUILT,
                        Slices.environment(socket, false));
        started.add(process);
        assertEquals("ready", process.inputReader().readLine());
        return process;
    }

    private static void tell(Process process, String... words) throws IOException {
        Writer writer = process.outputWriter();
        for (String each : words) {
            writer.write(each + "\n");
            writer.flush();
            assertEquals("done", process.inputReader().readLine(), each);
        }
    }

    private static void finish(Process process) throws Exception {
        process.outputWriter().close();
        assertEquals("ok", process.inputReader().readLine());
        assertEquals(0, process.waitFor());
    }

    private static long resident(Control control, String slice) throws IOException {
        for (JsonNode each : control.ask("slices").path("slices")) {
            if (each.path("name").asText().equals(slice)) {
                return each.path("memoryResident").asLong();
            }
        }
        throw new AssertionError("there is no slice " + slice);
    }

    /** A worker tells what it has some time after it has it. What is its own besides is little. */
    private static void awaitResident(Control control, String slice, long bytes) throws Exception {
        long seen = -1;
        for (int i = 0; i < 1000; i++) {
            seen = resident(control, slice);
            if (seen >= bytes && seen < bytes + (1 << 20)) {
                return;
            }
            Thread.sleep(20);
        }
        assertEquals(bytes, seen, slice);
    }

    private static void awaitMoves(Control control, long count) throws Exception {
        long seen = -1;
        for (int i = 0; i < 1000 && seen != count; i++) {
            JsonNode device = control.ask("devices").path("devices").get(0);
            assertTrue(device.path("resident").asLong() <= DEVICE, device::toString);
            seen = device.path("moves").asLong();
            Thread.sleep(20);
        }
        assertEquals(count, seen, "moves");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "process"})
    void theProgramSaysWhoHasTheRoom(String isolation) throws Exception {
        try (Daemon daemon = Daemon.start(DEVICE + "");
                Control one = daemon.control();
                Control two = daemon.control();
                Control control = daemon.control()) {
            Process first = start(one, "first", isolation);
            awaitResident(control, "first", BYTES);
            tell(first, "compute", "host");
            awaitResident(control, "first", 0);
            awaitMoves(control, 1);
            Process second = start(two, "second", isolation);
            awaitResident(control, "second", BYTES);
            // Kernels of the first go on, and nobody has to move for that.
            tell(first, "compute", "compute");
            awaitMoves(control, 1);
            awaitResident(control, "second", BYTES);
            // What the second does not need there makes room.
            tell(second, "prefer-host");
            awaitMoves(control, 1);
            tell(first, "device");
            awaitResident(control, "first", BYTES);
            awaitResident(control, "second", 0);
            awaitMoves(control, 3);
            tell(second, "compute");
            // And back: now it is the first that may be reached from elsewhere.
            tell(first, "accessed-by", "compute");
            tell(second, "prefer-device", "device");
            awaitResident(control, "second", BYTES);
            awaitResident(control, "first", 0);
            awaitMoves(control, 5);
            // Half of it fits beside.
            tell(first, "half-device", "compute");
            awaitResident(control, "first", BYTES / 2);
            awaitMoves(control, 6);
            tell(first, "half-host");
            awaitResident(control, "first", 0);
            awaitMoves(control, 7);
            finish(first);
            finish(second);
            while (!daemon.sessions().isEmpty()) {
                Thread.sleep(20);
            }
            JsonNode device = control.ask("devices").path("devices").get(0);
            assertEquals(0, device.path("resident").asLong() + device.path("movedOut").asLong());
        }
    }
}
