package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What tools that watch GPUs see: their own slice, and what goes on in it. */
class ManagementTest {
    private final Builder builder = new Builder();

    @Test
    void aMonitorSeesTheProgramsOfItsSlice() throws IOException, InterruptedException {
        try (Daemon daemon = Daemon.start();
                Control control = daemon.control()) {
            String busy = control.slice("busy", "64M");
            String idle = control.slice("idle", "64M");
            Process program =
                    Runner.start(
                            List.of(driver("wait_forever").toString()),
                            Places.BUILT,
                            Slices.environment(busy, false));
            try {
                assertEquals("waiting", program.inputReader().readLine());
                List<Long> seen = watch(busy);
                assertTrue(seen.get(0) > 0, () -> "its kernel runs, and it is not busy: " + seen);
                assertTrue(seen.get(1) >= 8 << 20, () -> "it has 8 MiB: " + seen);
                assertEquals(List.of(program.pid()), seen.subList(2, seen.size()));
                assertEquals(List.of(0L, 0L), watch(idle), "another slice is to be seen");
            } finally {
                program.destroyForcibly().waitFor();
            }
            while (!daemon.sessions().isEmpty()) {
                Thread.sleep(20);
            }
            List<Long> after = watch(busy);
            assertEquals(List.of(0L), after.subList(1, after.size()), "nobody is left");
        }
    }

    private Path driver(String name) {
        return builder.driver(Program.of(Places.DRIVER.resolve(name + ".c")));
    }

    private List<Long> watch(String socket) {
        Map<String, String> environment = Slices.environment(socket, false);
        Outcome outcome =
                Runner.run(List.of(driver("watch").toString()), Places.BUILT, environment);
        assertEquals(0, outcome.status(), outcome.report());
        return List.of(outcome.output().strip().split(" ", -1)).stream()
                .map(Long::parseLong)
                .toList();
    }
}
