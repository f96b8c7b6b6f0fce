package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Containers whose programs have the vendor's driver in them, by runc and by podman. The driver is
 * Facet's own on a second daemon, as a folder that looks like a driver's.
 */
@Timeout(600)
@SuppressWarnings("NullAway.Init") // begins before all tests
class DirectContainersTest {
    private static final long GIB = 1L << 30;
    private static final String SEES_ONE_GIB = GIB + " " + GIB + " 2 0";
    private static final Path HOOK = Places.NATIVE.resolve("target/bin/facet-hook");
    private static final Path CDI = Path.of("/run/cdi");

    @TempDir private static Path shared = Path.of("/nowhere");

    private static Daemon lower;
    private static Control lowerControl;
    private static Path gpu;
    private static FakeVendor vendor;
    private static Daemon upper;

    @TempDir private Path folder = Path.of("/nowhere");

    private final Builder builder = new Builder();
    private RootFilesystem root;
    private List<String> before;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        for (String each : List.of("runc", "busybox", "mknod")) {
            assumeTrue(Tools.onPath(each).isPresent(), each + " is not installed");
        }
        assumeTrue("root".equals(System.getProperty("user.name")), "containers need root");
        // The second of two: its number here is not its number there, only its UUID is the same.
        lower = Daemon.start("256M,3G");
        lowerControl = lower.control();
        String socket = lowerControl.ask("run name=gpu device=1 memory=3G").path("socket").asText();
        gpu = Path.of(socket);
        String uuid = lowerControl.ask("devices").at("/devices/1/uuid").asText();
        vendor = FakeVendor.create(shared.resolve("vendor"), uuid);
        upper = daemon("--container-most", "engine=direct");
    }

    private static Daemon daemon(String... more) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(vendor.options(gpu.toString()));
        options.addAll(List.of(more));
        return Daemon.start("", options.toArray(String[]::new));
    }

    @AfterAll
    static void stop() throws IOException {
        if (upper != null) {
            upper.close();
        }
        if (lower != null) {
            lowerControl.close();
            lower.close();
        }
    }

    @BeforeEach
    void image() throws IOException {
        root = RootFilesystem.create(folder.resolve("root"));
        for (String each : List.of("see_device", "hold_memory")) {
            Path file = builder.driver(Program.of(Places.DRIVER.resolve(each + ".c")));
            root.add(file, "/bin/" + each);
        }
        // An image has its runtime with it; the vendor's driver answers it.
        Path home = root.path().resolve("usr/lib/x86_64-linux-gnu");
        Files.createDirectories(home);
        Files.copy(Places.library("libcudart.so.12"), home.resolve("libcudart.so.12"));
        Files.createSymbolicLink(root.path().resolve("bin/mount"), Path.of("busybox"));
        before = root.files();
    }

    private Bundle direct(String... command) {
        return withDriver(new Bundle(root, List.of(command)));
    }

    /** What the driver needs that is Facet's own: its daemon's socket. */
    private static Bundle withDriver(Bundle bundle) {
        return bundle.environment(
                        "FACET_MEMORY=1GiB", "FACET_ENGINE=direct", "FACET_SOCKET=/tmp/gpu/socket")
                .mount(
                        "/tmp/gpu",
                        "bind",
                        gpu.resolveSibling(".").normalize().toString(),
                        "rbind",
                        "ro");
    }

    private static void assertPrints(String expected, Outcome outcome) {
        assertTrue(outcome.ok(), outcome::report);
        assertEquals(expected, outcome.output().strip(), outcome::report);
    }

    private static void assertRefused(String why, Outcome outcome) {
        assertFalse(outcome.ok(), outcome::report);
        assertFalse(outcome.output().contains("started"), outcome::report);
        assertTrue(outcome.errors().contains(why), outcome::report);
    }

    private void assertNothingLeft(Daemon daemon) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!left(daemon).isEmpty() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        assertEquals(List.of(), left(daemon));
        assertEquals(before, root.files(), "files in the image");
    }

    private List<String> left(Daemon daemon) throws IOException {
        List<String> left = new ArrayList<>();
        try (Control control = daemon.control()) {
            for (JsonNode each : control.ask("slices").path("slices")) {
                if (each.has("container") || each.path("memoryUsed").asLong() > 0) {
                    left.add("slice " + each);
                }
            }
        }
        Path hooks = daemon.directory().resolve("hook");
        if (Files.exists(hooks)) {
            try (Stream<Path> files = Files.list(hooks)) {
                files.forEach(file -> left.add(file.toString()));
            }
        }
        for (JsonNode each : lower.sessions()) {
            if (each.path("program").asText().matches("see_device|hold_memory")) {
                left.add("session of the driver " + each);
            }
        }
        return left;
    }

    @Test
    void programsSeeTheSliceThroughTheVendorsDriver() throws Exception {
        try (Runc runc = new Runc(folder)) {
            assertPrints(
                    SEES_ONE_GIB, runc.wrapped("seen", direct("see_device"), upper.directory()));
            // By rules of the dynamic linker alone, for another user and without an environment.
            assertPrints(
                    SEES_ONE_GIB,
                    runc.wrapped(
                            "bare",
                            direct("env", "-i", "FACET_SOCKET=/tmp/gpu/socket", "/bin/see_device"),
                            upper.directory()));
            Outcome files =
                    runc.wrapped(
                            "files",
                            direct(
                                            "sh",
                                            "-c",
                                            "cd /dev; echo nvidia*; : < /dev/nvidia3 && echo opened;"
                                                    + " nvidia-smi; cat /lib/firmware/nvidia/*/*; echo;"
                                                    + " cd /lib/x86_64-linux-gnu; echo libnv*;"
                                                    + " cd /usr/lib/facet-vendor; echo lib*")
                                    .environment("PATH=/bin:/usr/bin"),
                            upper.directory());
            assertPrints(
                    """
                    nvidia-uvm nvidia-uvm-tools nvidia3 nvidiactl
                    opened
                    tool
                    firmware
                    libnvidia-ml.so.1 libnvidia-nvvm.so.4 libnvidia-nvvm.so.999.42\
                     libnvidia-ptxjitcompiler.so.1 libnvidia-ptxjitcompiler.so.999.42
                    libcuda.so.1 libnvidia-ml.so.1\
                    """
                            .strip(),
                    files);
        }
        assertNothingLeft(upper);
    }

    @Test
    void aContainerIsHeldToItsMemoryAndGivesItBackWhenItIsKilled() throws Exception {
        try (Runc runc = new Runc(folder)) {
            Bundle bundle = direct("hold_memory", "900");
            Path place = folder.resolve("config");
            bundle.write(place);
            Process process = wrapped(place, "holds");
            try {
                String line = process.inputReader().readLine();
                assertTrue(line != null, () -> process.errorReader().lines().toList().toString());
                assertEquals(0, Held.of(line).result());
                assertEquals(GIB, Held.of(line).total());
                assertEquals("900 MiB, direct", used("holds"));
                // The driver's own daemon sees this process: the calls are made by it, not for it.
                assertTrue(
                        lower.sessions().toString().contains("hold_memory"),
                        () -> "no session of the driver");
                Outcome more =
                        runc.exec(
                                "holds",
                                "sh",
                                "-c",
                                "hold_memory 200 < /dev/null | (read a b; echo $a)");
                assertPrints("2", more);
                runc.kill("holds");
                Runc.awaitEnd(process);
            } finally {
                process.destroyForcibly();
                Runner.run(
                        List.of("runc", "--root", folder + "/runc", "delete", "--force", "holds"),
                        folder,
                        Map.of());
            }
        }
        assertNothingLeft(upper);
    }

    /** By facet-runtime, which has to write the files into the configuration. */
    private Process wrapped(Path bundle, String id) throws IOException {
        List<String> command =
                List.of(
                        Places.NATIVE.resolve("target/bin/facet-runtime").toString(),
                        "--root",
                        folder.resolve("runc").toString(),
                        "run",
                        "--bundle",
                        bundle.toString(),
                        id);
        return Runner.start(
                command, folder, Map.of("FACET_RUNTIME_DIR", upper.directory().toString()));
    }

    private static String used(String slice) throws IOException {
        try (Control control = upper.control()) {
            for (JsonNode each : control.ask("slices").path("slices")) {
                if (each.path("name").asText().equals(slice)) {
                    return (each.path("memoryUsed").asLong() >> 20)
                            + " MiB, "
                            + each.path("engine").asText();
                }
            }
        }
        return "no slice";
    }

    @Test
    void whoMayNotIsToldWhatToDo() throws Exception {
        try (Daemon careful = daemon();
                Runc runc = new Runc(folder)) {
            assertRefused(
                    "start facetd with --container-most engine=direct",
                    runc.wrapped("no", direct("sh", "-c", "echo started"), careful.directory()));
            assertNothingLeft(careful);
            Outcome cdi = Cli.facet(careful, "cdi", "--direct");
            assertFalse(cdi.ok(), cdi::report);
            assertTrue(cdi.errors().contains("--container-most engine=direct"), cdi::report);
        }
    }

    @Test
    void withoutDeviceFilesItIsNotStarted() throws Exception {
        try (Runc runc = new Runc(folder)) {
            Bundle bundle = direct("sh", "-c", "echo started").hook(HOOK, upper.directory());
            assertRefused("has no device file /dev/nvidiactl", runc.run("bare", bundle));
        }
        assertNothingLeft(upper);
    }

    @Test
    void aContainerOfTheOtherEngineHasNoneOfIt() throws Exception {
        try (Runc runc = new Runc(folder)) {
            Bundle bundle =
                    new Bundle(root, List.of("sh", "-c", "see_device; ls /dev /usr/lib"))
                            .environment("FACET_MEMORY=1GiB");
            Outcome outcome = runc.wrapped("plain", bundle, upper.directory());
            assertTrue(outcome.ok(), outcome::report);
            assertTrue(outcome.output().startsWith(SEES_ONE_GIB), outcome::report);
            assertFalse(outcome.output().contains("vendor"), outcome::report);
            assertFalse(outcome.output().contains("nvidia"), outcome::report);
        }
        assertNothingLeft(upper);
    }

    @Test
    void podmanGivesThemByTheCdiFile() throws Exception {
        for (String each : List.of("podman", "unshare")) {
            assumeTrue(Tools.onPath(each).isPresent(), each + " is not installed");
        }
        Path cdi = Files.createDirectories(folder.resolve("cdi"));
        Outcome written =
                Cli.facet(
                        upper,
                        "cdi",
                        "--direct",
                        "--hook",
                        HOOK.toString(),
                        "--output",
                        cdi.resolve("direct.json").toString());
        assertTrue(written.ok(), written::report);
        List<String> volume = List.of("-v", gpu.getParent() + ":/tmp/gpu:ro");
        Outcome plain = podman(cdi, volume, "echo fine");
        assumeTrue(plain.ok(), () -> "podman runs no containers here: " + plain.errors());
        before = root.files(); // with what podman makes for itself
        List<String> options = new ArrayList<>(volume);
        options.addAll(List.of("--device", "facet.dev/direct=0"));
        options.addAll(List.of("-e", "FACET_MEMORY=1GiB"));
        options.addAll(List.of("-e", "FACET_SOCKET=/tmp/gpu/socket"));
        Outcome outcome =
                podman(
                        cdi,
                        options,
                        "see_device; cd /dev; echo nvidia*; : < /dev/nvidia3 && echo opened");
        assertPrints(
                SEES_ONE_GIB + "\nnvidia-uvm nvidia-uvm-tools nvidia3 nvidiactl\nopened", outcome);
        assertNothingLeft(upper);
    }

    /** In a mount namespace of its own, with storage of its own. */
    private Outcome podman(Path cdi, List<String> options, String script) {
        boolean had = Files.exists(CDI);
        String mounts = "mkdir -p " + CDI + " && mount --bind \"$0\" " + CDI + " && exec \"$@\"";
        List<String> command =
                new ArrayList<>(List.of("unshare", "-m", "sh", "-c", mounts, cdi.toString()));
        command.addAll(List.of("podman", "--root", folder.resolve("storage").toString()));
        command.addAll(List.of("--runroot", folder.resolve("run").toString()));
        command.addAll(List.of("--storage-driver", "vfs", "--runtime", "runc"));
        command.addAll(List.of("--cgroup-manager", "cgroupfs"));
        command.addAll(List.of("run", "--rm", "--network", "none"));
        command.addAll(List.of("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"));
        command.addAll(options);
        command.addAll(List.of("--rootfs", root.path().toString(), "/bin/sh", "-c", script));
        try {
            return Runner.run(command, Places.MODULE, Map.of());
        } finally {
            if (!had) {
                CDI.toFile().delete();
            }
        }
    }
}
