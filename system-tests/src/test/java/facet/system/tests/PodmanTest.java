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
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Containers of real podman: by its folder of hooks, and by the Container Device Interface. */
@Timeout(300)
class PodmanTest {
    /** Where podman looks for CDI files; seen here only by the processes of this test. */
    private static final Path CDI = Path.of("/run/cdi");

    private static final Path HOOK = Places.NATIVE.resolve("target/bin/facet-hook");
    private static final String SEE = "ls /run/facet; env";

    @TempDir private Path folder = Path.of("/nowhere");

    private final boolean hadFolder = Files.exists(CDI);
    private RootFilesystem root;
    private Daemon daemon;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        for (String each : List.of("podman", "runc", "busybox", "unshare")) {
            assumeTrue(Tools.onPath(each).isPresent(), each + " is not installed");
        }
        assumeTrue("root".equals(System.getProperty("user.name")), "not tried without root");
        root = RootFilesystem.create(folder.resolve("root"));
        Outcome plain = podman(List.of(), List.of(), "echo fine");
        assumeTrue(plain.ok(), () -> "podman runs no containers here: " + plain.errors());
        daemon = Daemon.start("1G");
    }

    @AfterEach
    void stop() throws Exception {
        if (daemon != null) {
            daemon.close();
        }
        if (!hadFolder) {
            Files.deleteIfExists(CDI);
        }
    }

    /** In a mount namespace of its own, with storage of its own. */
    private Outcome podman(List<String> global, List<String> options, String script) {
        String mounts = "mkdir -p " + CDI + " && mount --bind \"$0\" " + CDI + " && exec \"$@\"";
        List<String> command =
                new ArrayList<>(List.of("unshare", "-m", "sh", "-c", mounts, cdi().toString()));
        command.addAll(List.of("podman", "--root", folder.resolve("storage").toString()));
        command.addAll(List.of("--runroot", folder.resolve("run").toString()));
        command.addAll(List.of("--storage-driver", "vfs", "--runtime", "runc"));
        command.addAll(List.of("--cgroup-manager", "cgroupfs"));
        command.addAll(global);
        // As many as the test itself has: it may not raise them.
        command.addAll(List.of("run", "--rm", "--network", "none"));
        command.addAll(List.of("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"));
        command.addAll(options);
        command.addAll(List.of("--rootfs", root.path().toString(), "/bin/sh", "-c", script));
        return Runner.run(command, Places.MODULE, Map.of());
    }

    private Path cdi() {
        try {
            return Files.createDirectories(folder.resolve("cdi"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertNothingLeft(List<String> before) throws IOException {
        assertEquals(before, root.files());
        try (Stream<Path> files = Files.list(daemon.directory().resolve("hook"))) {
            assertEquals(List.of(), files.toList());
        }
        try (Control control = daemon.control()) {
            control.ask("slices")
                    .path("slices")
                    .forEach(each -> assertFalse(each.has("container"), each::toString));
        }
    }

    @Test
    void aVariableIsEnoughWhereTheHookIsInPodmansFolder() throws Exception {
        List<String> before = root.files();
        Path hooks = Files.createDirectories(folder.resolve("hooks.d"));
        String installed = Files.readString(Places.NATIVE.resolve("hook/facet.json"));
        Files.writeString(
                hooks.resolve("facet.json"),
                installed
                        .replace("/usr/lib/facet/bin/facet-hook", HOOK.toString())
                        .replace(
                                "\"auto\"",
                                "\"auto\", \"--runtime-dir=" + daemon.directory() + "\""));
        List<String> global = List.of("--hooks-dir", hooks.toString());
        Outcome outcome = podman(global, List.of("-e", "FACET_MEMORY=64MiB"), SEE);
        assertTrue(outcome.ok(), outcome::report);
        assertTrue(outcome.output().startsWith("socket\n"), outcome::report);
        assertNothingLeft(before);
        Outcome without = podman(global, List.of(), "ls /run/facet");
        assertFalse(without.ok(), without::report);
        Outcome refused = podman(global, List.of("-e", "FACET_MEMORY=some"), "echo started");
        assertFalse(refused.ok(), refused::report);
        assertTrue(refused.errors().contains("FACET_MEMORY=some"), refused::report);
        assertFalse(refused.output().contains("started"), refused::report);
        assertNothingLeft(before);
    }

    private void writeCdi(String name, String... options) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "cdi",
                                "--hook",
                                HOOK.toString(),
                                "--output",
                                cdi().resolve(name).toString()));
        arguments.addAll(List.of(options));
        Outcome outcome = Cli.facet(daemon, arguments.toArray(String[]::new));
        assertTrue(outcome.ok(), outcome::report);
    }

    /** Whose slice is where; the container waits for a line meanwhile. */
    @Test
    void aContainerGetsTheDevicesThatItNames() throws Exception {
        daemon.close();
        daemon = Daemon.start("256M,128M,128M");
        List<String> before = root.files();
        writeCdi("facet.json");
        String uuid;
        try (Control control = daemon.control()) {
            uuid = control.ask("devices").at("/devices/2/uuid").asText();
        }
        assertEquals(List.of(1), devicesOf(List.of("1")));
        assertEquals(List.of(2), devicesOf(List.of(uuid)));
        assertEquals(List.of(0, 2), devicesOf(List.of("2", "0")));
        assertEquals(List.of(0, 1, 2), devicesOf(List.of("all", "1")));
        Outcome refused = podman(List.of(), List.of("--device", "facet.dev/gpu=3"), "true");
        assertFalse(refused.ok(), refused::report);
        assertNothingLeft(before);
    }

    /** The devices of the slice that a container has which asks for these. */
    private List<Integer> devicesOf(List<String> names) throws Exception {
        Path go = folder.resolve("shared/go");
        Files.createDirectories(go.getParent());
        Files.deleteIfExists(go);
        List<String> options = new ArrayList<>(List.of("-v", go.getParent() + ":/tmp"));
        names.forEach(each -> options.addAll(List.of("--device", "facet.dev/gpu=" + each)));
        FutureTask<Outcome> running =
                new FutureTask<>(() ->
                        podman(List.of(), options, "while [ ! -e /tmp/go ]; do sleep 0.05; done"));
        Thread.ofPlatform().start(running);
        try (Control control = daemon.control()) {
            while (!running.isDone()) {
                for (JsonNode each : control.ask("slices").path("slices")) {
                    if (each.has("container")) {
                        List<Integer> devices = new ArrayList<>();
                        each.path("onDevices").forEach(number -> devices.add(number.asInt()));
                        Files.createFile(go);
                        assertTrue(running.get().ok(), running.get()::report);
                        return devices;
                    }
                }
                Thread.sleep(20);
            }
        }
        throw new AssertionError(running.get().report());
    }

    @Test
    void devicesOfTheCdiFileAreSlices() throws Exception {
        List<String> before = root.files();
        try (Control control = daemon.control()) {
            control.ask("slice-create name=kept memory=32MiB");
        }
        writeCdi("facet.json");
        writeCdi("facet-slices.json", "--slices");
        Outcome all = podman(List.of(), List.of("--device", "facet.dev/gpu=all"), SEE);
        assertTrue(all.ok(), all::report);
        assertTrue(all.output().startsWith("socket\n"), all::report);
        assertTrue(all.output().contains("FACET_GPU=all"), all::report);
        assertNothingLeft(before);
        String mounted = "cat /proc/self/mountinfo";
        Outcome kept = podman(List.of(), List.of("--device", "facet.dev/slice=kept"), mounted);
        assertTrue(kept.ok(), kept::report);
        assertTrue(kept.output().contains("/slices/kept /run/facet ro"), kept::report);
        assertNothingLeft(before);
    }
}
