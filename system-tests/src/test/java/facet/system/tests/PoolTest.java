package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two daemons in processes of their own, and what becomes of programs when one of them dies. */
@Timeout(300)
class PoolTest {
    private static final long GIB = 1L << 30;
    private static final Path DEMO = Places.NATIVE.resolve("target/demo");

    @TempDir private Path folder = Path.of("/nowhere");

    private final Builder builder = new Builder();

    private static void await(Callable<Boolean> condition, String what) throws Exception {
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, what);
            Thread.sleep(20);
        }
    }

    private static JsonNode ask(Daemon daemon, String line) throws IOException {
        try (Control control = daemon.control()) {
            return control.ask(line);
        }
    }

    private static JsonNode slice(Daemon daemon, String name) throws IOException {
        for (JsonNode each : ask(daemon, "slices").path("slices")) {
            if (each.path("name").asText().equals(name)) {
                return each;
            }
        }
        return MissingNode.getInstance();
    }

    private static String socket(Daemon daemon, String slice) throws IOException {
        return slice(daemon, slice).path("socket").asText();
    }

    private Process nbody(String socket) throws IOException {
        return Runner.start(
                List.of(
                        DEMO.resolve("nbody").toString(),
                        DEMO.resolve("kernels.ptx").toString(),
                        "600"),
                folder,
                Slices.environment(socket, false));
    }

    private Path driver(String name) {
        return builder.driver(Program.of(Places.DRIVER.resolve(name + ".c")));
    }

    /** Each slice has a process of its own there, as for strangers. */
    @Test
    void aContainerOnANodeWithoutADevice() throws Exception {
        assumeTrue(Tools.onPath("runc").isPresent(), "runc is not installed");
        assumeTrue(Tools.onPath("busybox").isPresent(), "busybox is not installed");
        assumeTrue(
                "root".equals(System.getProperty("user.name")), "containers need root, or podman");
        RootFilesystem root = RootFilesystem.create(folder.resolve("root"));
        root.add(driver("see_device"), "/bin/see_device");
        try (TestPool pool = TestPool.start(0);
                Runc runc = new Runc(folder)) {
            Bundle bundle =
                    new Bundle(root, List.of("see_device"))
                            .hook(
                                    Places.NATIVE.resolve("target/bin/facet-hook"),
                                    pool.near().directory())
                            .environment("FACET_MEMORY=1GiB", "FACET_COMPUTE=20");
            Outcome outcome = runc.run("far-away", bundle);
            assertTrue(outcome.ok(), outcome::report);
            // It sees 1 GiB, of which all is free, and is refused more.
            assertEquals(GIB + " " + GIB + " 2 0", outcome.output().strip(), outcome::report);
            await(() -> slice(pool.far(), "near.far-away").isMissingNode(), "it is gone there");
        }
    }

    @Test
    void theDevicesNodeDies() throws Exception {
        try (TestPool pool = TestPool.start(0, "--isolation", "process")) {
            ask(pool.near(), "slice-create name=train memory=256M");
            assertEquals("process", slice(pool.far(), "near.train").path("isolation").asText());
            Process program = nbody(socket(pool.near(), "train"));
            try {
                await(
                        () -> slice(pool.near(), "train").path("launches").asLong() > 2,
                        "it has launched");
                pool.far().kill();
                long begin = System.nanoTime();
                await(
                        () ->
                                !ask(pool.near(), "pool")
                                        .path("nodes")
                                        .path(0)
                                        .path("connected")
                                        .asBoolean(),
                        "it is missed");
                System.out.println(
                        "a node that was killed was missed after "
                                + (System.nanoTime() - begin) / 1_000_000
                                + " ms");
                assertTrue(program.waitFor(2, TimeUnit.MINUTES), "the program hangs");
                String said =
                        new String(program.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
                assertNotEquals(0, program.exitValue(), said);
                assertTrue(said.contains("the daemon ended this program's session"), said);
                System.out.println("the program said: " + said);
            } finally {
                program.destroyForcibly();
            }
        }
    }

    /** Where nobody uses a slice any more it ends half a minute later. */
    @Test
    void theProgramsNodeDies() throws Exception {
        try (TestPool pool = TestPool.start(0)) {
            ask(pool.near(), "slice-create name=train memory=256M compute=60");
            Process program = nbody(socket(pool.near(), "train"));
            try {
                await(
                        () -> slice(pool.far(), "near.train").path("launches").asLong() > 2,
                        "it has launched");
                pool.near().kill();
                await(
                        () -> slice(pool.far(), "near.train").isMissingNode(),
                        "its slice is gone there");
                // What it was promised is free for others.
                ask(pool.far(), "slice-create name=own compute=90");
                assertTrue(program.waitFor(2, TimeUnit.MINUTES), "the program hangs");
            } finally {
                program.destroyForcibly();
            }
            pool.near().restart();
            ask(pool.far(), "slice-delete name=own");
            await(() -> !socket(pool.near(), "train").isEmpty(), "its slice is back");
            new Slices(pool.near())
                    .check(Program.of(Places.DRIVER.resolve("memory.c")), driver("memory"), false);
        }
    }
}
