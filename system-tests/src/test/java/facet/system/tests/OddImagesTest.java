package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the hook mounts, in images that have something else there or mean harm. */
@Timeout(300)
class OddImagesTest {
    private static final Path PROGRAMS = Places.NATIVE.resolve("target/bin");
    private static final String LIBRARIES = "lib/x86_64-linux-gnu";

    @TempDir private Path folder = Path.of("/nowhere");

    private final List<AutoCloseable> open = new ArrayList<>();
    private static Daemon daemon;
    private RootFilesystem root;
    private Runc runc;

    @BeforeAll
    static void startDaemon() throws IOException, InterruptedException {
        assumeTrue(Tools.onPath("runc").isPresent(), "runc is not installed");
        assumeTrue(Tools.onPath("busybox").isPresent(), "busybox is not installed");
        assumeTrue("root".equals(System.getProperty("user.name")), "containers need root");
        daemon = Daemon.start("1G");
    }

    @AfterAll
    static void stopDaemon() throws Exception {
        if (daemon != null) {
            daemon.close();
        }
    }

    @BeforeEach
    void start() throws IOException {
        root = RootFilesystem.create(folder.resolve("root"));
        assumeTrue(
                Files.isDirectory(root.path().resolve(LIBRARIES)),
                "the libraries of this machine are not in /" + LIBRARIES);
        Files.createDirectory(folder.resolve("outside"));
        runc = new Runc(folder);
        open.add(runc);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private Bundle bundle(String script) {
        return new Bundle(root, List.of("sh", "-c", script))
                .environment("FACET_MEMORY=64MiB")
                .hook(PROGRAMS.resolve("facet-hook"), daemon.directory());
    }

    /** What the hook has made, in the image and beside it. */
    private void assertNothingLeft(List<String> before) throws IOException {
        assertEquals(before, root.files());
        for (Path each : List.of(folder.resolve("outside"), daemon.directory().resolve("hook"))) {
            try (Stream<Path> files = Files.list(each)) {
                assertEquals(List.of(), files.toList());
            }
        }
    }

    // ---- images that are not started

    /**
     * @param target of a symbolic link
     */
    record Trap(String place, String target, String message) {
        @Override
        public String toString() {
            return "/" + place + " -> " + target;
        }
    }

    static List<Trap> traps() {
        String link = "a link that leads nowhere, or must not be followed";
        return List.of(
                new Trap("run", "../../../../../../../../OUTSIDE", link),
                new Trap("run", "/nowhere", link),
                new Trap("run/facet", "/proc/1/root/OUTSIDE", link),
                new Trap("run/facet", "/proc/self/fd/0", link),
                new Trap("etc/ld.so.preload", "/proc/1/root/etc/passwd", link),
                new Trap("etc/ld.so.preload", "/dev", "no regular file"),
                new Trap(LIBRARIES + "/libcuda.so.1", "/etc", "no regular file"),
                new Trap("usr/lib/facet", "/etc/profile", "cannot be made"));
    }

    /** Refused, with the place, and half of the work is undone. */
    @ParameterizedTest
    @MethodSource("traps")
    void linksThatLeadElsewhereAreRefused(Trap trap) throws Exception {
        Path place = root.path().resolve(trap.place());
        Files.deleteIfExists(place);
        Files.createSymbolicLink(
                place,
                Path.of(
                        trap.target()
                                .replace(
                                        "OUTSIDE",
                                        folder.resolve("outside").toString().substring(1))));
        List<String> before = root.files();
        Outcome outcome = runc.run("trapped", bundle("echo started"));
        assertFalse(outcome.ok(), outcome::report);
        assertFalse(outcome.output().contains("started"), outcome::report);
        assertTrue(outcome.errors().contains("facet: "), outcome::report);
        assertTrue(outcome.errors().contains(trap.message()), outcome::report);
        assertTrue(outcome.errors().contains("/" + trap.place().split("/", 2)[0]), outcome::report);
        assertNothingLeft(before);
        try (Control control = daemon.control()) {
            assertEquals(1, control.ask("slices").path("slices").size());
        }
    }

    // ---- images that have something there

    @Test
    void linksInsideOfTheImageAreFollowed() throws Exception {
        Files.delete(root.path().resolve("run"));
        Files.createSymbolicLink(root.path().resolve("run"), Path.of("../../etc"));
        Files.createSymbolicLink(
                root.path().resolve(LIBRARIES + "/libcuda.so.1"), Path.of("libcuda.so.999"));
        List<String> before = root.files();
        Outcome outcome =
                runc.run("inside", bundle("ls /etc/facet; ls /" + LIBRARIES + "/libcuda.so.999"));
        assertTrue(outcome.ok(), outcome::report);
        assertEquals("socket\n/" + LIBRARIES + "/libcuda.so.999\n", outcome.output());
        assertNothingLeft(before);
    }

    @Test
    void aFileSystemOnRunIsUsedAsItIs() throws Exception {
        Files.createDirectory(root.path().resolve("run/facet"));
        List<String> before = root.files();
        Outcome outcome =
                runc.run("tmpfs", bundle("ls /run/facet").mount("/run", "tmpfs", "tmpfs"));
        assertTrue(outcome.ok(), outcome::report);
        assertEquals("socket\n", outcome.output());
        // The image's own folder is empty, as one that was made would be; it stays.
        assertNothingLeft(before);
    }

    @Test
    void whatTheImagePreloadsIsPreloadedStill() throws Exception {
        Path preload = root.path().resolve("etc/ld.so.preload");
        Files.writeString(preload, "# ours\n/" + LIBRARIES + "/libc.so.6");
        List<String> before = root.files();
        Outcome outcome =
                runc.run("preload", bundle("cat /etc/ld.so.preload; echo x > /etc/ld.so.preload"));
        assertFalse(outcome.ok(), "the file can be written");
        assertEquals(
                "# ours\n/" + LIBRARIES + "/libc.so.6\n/usr/lib/facet/libfacet-preload.so\n",
                outcome.output());
        assertEquals("# ours\n/" + LIBRARIES + "/libc.so.6", Files.readString(preload));
        assertNothingLeft(before);
    }

    @Test
    void theVendorsLibrariesAreCovered() throws Exception {
        Path toolkit = root.path().resolve("usr/local/cuda-12.4");
        Files.createDirectories(toolkit.resolve("targets/x86_64-linux/lib"));
        Files.createDirectories(toolkit.resolve("compat"));
        Files.createSymbolicLink(toolkit.resolve("lib64"), Path.of("targets/x86_64-linux/lib"));
        Files.createSymbolicLink(root.path().resolve("usr/local/cuda"), Path.of("cuda-12.4"));
        Files.writeString(toolkit.resolve("lib64/libcudart.so.12.4.1"), "vendors-own-file");
        Files.createSymbolicLink(
                toolkit.resolve("lib64/libcudart.so.12"), Path.of("libcudart.so.12.4.1"));
        Files.writeString(toolkit.resolve("compat/libcuda.so.1"), "vendors-own-file");
        List<String> before = root.files();
        Outcome outcome =
                runc.run(
                        "vendor",
                        bundle(
                                "cd /usr/local/cuda; cat lib64/libcudart.so.12 compat/libcuda.so.1"
                                        + " | busybox grep -c vendors-own-file; busybox grep -c cuda-12.4"
                                        + " /proc/self/mountinfo"));
        // Each is mounted over once, whatever its names.
        assertEquals("0\n2\n", outcome.output(), outcome::report);
        assertEquals("vendors-own-file", Files.readString(toolkit.resolve("compat/libcuda.so.1")));
        assertNothingLeft(before);
    }

    // ---- how the hook comes there

    @Test
    void containersMayShareTheirFiles() throws Exception {
        List<String> before = root.files();
        Process first = runc.start("first", bundle("echo ready; cat"));
        open.add(first::destroyForcibly);
        assertEquals("ready", first.inputReader().readLine());
        Process second =
                runc.start("second", bundle("echo ready; cat; ls /run/facet /usr/lib/facet"));
        open.add(second::destroyForcibly);
        assertEquals("ready", second.inputReader().readLine());
        first.getOutputStream().close();
        Runc.awaitEnd(first);
        // What the first one has made the second one has mounted over.
        second.getOutputStream().close();
        List<String> seen = second.inputReader().readAllLines();
        assertTrue(seen.contains("socket"), seen::toString);
        assertTrue(seen.contains("libcuda.so.1"), seen::toString);
        Runc.awaitEnd(second);
        assertNothingLeft(before);
    }

    @Test
    void theRuntimeAddsTheHookOnce() throws Exception {
        List<String> before = root.files();
        Path place = folder.resolve("bundle");
        new Bundle(root, List.of("ls", "/run/facet"))
                .environment("FACET_MEMORY=64MiB")
                .write(place);
        String config = "";
        for (int round = 0; round < 2; round++) {
            Outcome outcome =
                    Runner.run(
                            List.of(
                                    PROGRAMS.resolve("facet-runtime").toString(),
                                    "--root",
                                    folder.resolve("runc").toString(),
                                    "run",
                                    "-b",
                                    place.toString(),
                                    "wrapped"),
                            Places.MODULE,
                            Map.of("FACET_RUNTIME_DIR", daemon.directory().toString()));
            assertTrue(outcome.ok(), outcome::report);
            assertEquals("socket\n", outcome.output());
            config = Files.readString(place.resolve("config.json"));
        }
        assertEquals(4, config.split("facet-hook", -1).length - 1, config);
        try (Stream<Path> files = Files.list(place)) {
            assertEquals(1, files.count());
        }
        assertNothingLeft(before);
    }

    /** An engine may know of the hook from its own folder of hooks and from a CDI file. */
    @Test
    void twoHooksDoNoHarm() throws Exception {
        List<String> before = root.files();
        Outcome outcome =
                runc.run(
                        "twice",
                        bundle("busybox grep -c ' /run/facet ' /proc/self/mountinfo")
                                .hook(PROGRAMS.resolve("facet-hook"), daemon.directory()));
        assertTrue(outcome.ok(), outcome::report);
        assertEquals("1\n", outcome.output());
        assertNothingLeft(before);
    }
}
