package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The package: installed, used and removed in a root of its own, which has no Java. */
class PackageTest {
    private static final int BUILD_SECONDS = 400;

    @TempDir private static Path built;
    private static Path deb;
    private static Path tarball;

    @TempDir private Path folder;
    private ScratchRoot root;

    @BeforeAll
    static void build() throws IOException {
        for (String tool : List.of("dpkg-deb", "dpkg", "objdump", "unshare", "chroot")) {
            assumeTool(tool);
        }
        Assumptions.assumeTrue(
                Runner.build(unshare("true"), Places.MODULE).ok(),
                "skipped: unshare may make no mount namespace here");
        Outcome outcome =
                Runner.run(
                        List.of(
                                Places.ROOT.resolve("packaging/build").toString(),
                                "--level",
                                "0",
                                "--output",
                                built.toString()),
                        Places.MODULE,
                        Map.of("JAVA_HOME", System.getProperty("java.home")),
                        BUILD_SECONDS);
        assertEquals(0, outcome.status(), outcome.report());
        deb = only(".deb");
        tarball = only(".tar.xz");
    }

    private static List<String> unshare(String command) {
        return System.getProperty("user.name").equals("root")
                ? List.of("unshare", "--mount", command)
                : List.of("unshare", "--map-root-user", "--mount", command);
    }

    private static void assumeTool(String name) {
        Assumptions.assumeTrue(
                Runner.build(List.of("sh", "-c", "command -v " + name), Places.MODULE).ok(),
                "skipped: " + name + " is not installed");
    }

    private static Path only(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(built)) {
            List<Path> found = files.filter(each -> each.toString().endsWith(suffix)).toList();
            assertEquals(1, found.size(), () -> suffix + ": " + found);
            return found.getFirst();
        }
    }

    @BeforeEach
    void makeRoot() {
        root = ScratchRoot.make(folder.resolve("root"));
    }

    @AfterEach
    void stopDaemon() {
        for (String place : List.of("", "/opt/facet")) {
            if (Files.exists(root.path().resolve("." + place + "/usr/lib/facet/bin/facet"))) {
                root.run(place + "/usr/lib/facet/bin/facet", "down", "--force");
            }
        }
    }

    private void addProgram(String name) throws IOException {
        Path program = new Builder().driver(Program.of(Places.DRIVER.resolve(name + ".c")));
        Files.copy(program, root.path().resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
    }

    /** A slice of 96 MiB gives 50 and is seen as 96; one of 32 gives CUDA's out of memory. */
    private void runProgram(String facet) throws IOException {
        addProgram("hold_memory");
        Held held = Held.of(root.output(facet, "run", "-m", "96MiB", "/hold_memory", "50").strip());
        assertEquals(0, held.result());
        assertEquals(96L << 20, held.total());
        held = Held.of(root.output(facet, "run", "-m", "32MiB", "/hold_memory", "50").strip());
        assertEquals(2, held.result());
        addProgram("vector_add");
        root.output(facet, "run", "-c", "50", "/vector_add");
        Files.delete(root.path().resolve("hold_memory"));
        Files.delete(root.path().resolve("vector_add"));
    }

    @Test
    void isInstalledUsedAndPurged() throws IOException {
        Map<String, Long> before = root.files();
        root.dpkg("--install", deb.toString());
        assertEquals("", root.dpkg("--verify", "facet"), "files that differ from the package");
        String version = deb.getFileName().toString().split("_", -1)[1];
        assertEquals("facet " + version, root.outputWithArchive("facet", "--version").strip());

        root.outputWithArchive("facet", "up");
        runProgram("facet");
        root.output("facet", "slice", "create", "kept", "--memory", "64MiB");
        assertTrue(root.output("facet", "slice", "list", "-o", "json").contains("\"kept\""));

        // It still runs: removing the package stops it.
        root.dpkg("--remove", "facet");
        assertFalse(Files.exists(root.path().resolve("run/facet")), "its sockets are there");
        assertFalse(Files.exists(root.path().resolve("usr/lib/facet")), "its files are there");
        // What was set up stays until the package is purged.
        assertTrue(Files.exists(root.path().resolve("etc/default/facet")));
        assertTrue(Files.exists(root.path().resolve("var/lib/facet/slices.yaml")));

        root.dpkg("--purge", "facet");
        assertEquals(before, root.files());
    }

    @Test
    void aNewVersionKeepsWhatWasSaid() throws IOException {
        root.dpkg("--install", deb.toString());
        root.output("facet", "up");
        root.output("facet", "slice", "create", "kept", "--memory", "64MiB");
        Path options = root.path().resolve("etc/default/facet");
        Files.writeString(options, "FACETD_OPTIONS=\"--devices 2\"\n");
        root.dpkg("--install", deb.toString());
        assertEquals("FACETD_OPTIONS=\"--devices 2\"\n", Files.readString(options));
        root.output("facet", "down");
        root.output("facet", "up");
        assertTrue(root.output("facet", "slice", "list", "-o", "json").contains("\"kept\""));
    }

    @Test
    void theTarballRunsWhereverItIsUnpacked() throws IOException {
        Path place = Files.createDirectories(root.path().resolve("opt/facet"));
        Outcome unpacked =
                Runner.build(
                        List.of("tar", "-C", place.toString(), "-xf", tarball.toString()),
                        Places.MODULE);
        assertEquals(0, unpacked.status(), unpacked.report());
        String facet = "/opt/facet/usr/bin/facet";
        root.outputWithArchive(facet, "up");
        runProgram(facet);
        assertTrue(root.output(facet, "down").contains("down"));
    }

    @Test
    void systemdUnderstandsTheUnit() {
        assumeTool("systemd-analyze");
        root.dpkg("--install", deb.toString());
        Outcome outcome =
                Runner.build(
                        List.of(
                                "systemd-analyze",
                                "verify",
                                "--man=no",
                                "--recursive-errors=no",
                                "--root=" + root.path(),
                                "facetd.service"),
                        Places.MODULE);
        assertEquals(0, outcome.status(), outcome.report());
        assertFalse(outcome.errors().contains("facetd.service"), outcome.report());
    }

    @Test
    void isAServiceThatSystemdStartsAgainAndEnds() throws IOException, InterruptedException {
        assumeTool("/lib/systemd/systemd");
        assumeTool("nsenter");
        Assumptions.assumeTrue(
                System.getProperty("user.name").equals("root"), "skipped: systemd needs root");
        Path hold = new Builder().driver(Program.of(Places.DRIVER.resolve("hold_memory.c")));
        try (SystemdMachine machine = SystemdMachine.boot(folder.resolve("machine"))) {
            machine.output("dpkg", "--install", machine.bring(deb));
            assertEquals("active", machine.output("systemctl", "is-active", "facetd"));
            String program = machine.bring(hold);
            Held held = Held.of(machine.output("facet", "run", "-m", "96MiB", program, "50"));
            assertEquals(0, held.result());
            assertEquals(96L << 20, held.total());

            machine.output("facet", "slice", "create", "kept", "--memory", "64MiB");
            machine.output("kill", "-KILL", property(machine, "MainPID"));
            awaitSlices(machine);
            String journal = machine.output("journalctl", "--unit=facetd", "--no-pager", "-ocat");
            assertTrue(journal.contains("\n[facetd] daemon-started: "), journal);
            assertTrue(machine.output("facet", "slice", "list", "-o", "json").contains("\"kept\""));
            assertEquals("1", property(machine, "NRestarts"));

            // Options that are wrong are said to be so, once.
            machine.output("sh", "-c", "echo FACETD_OPTIONS=--devices=none > /etc/default/facet");
            assertTrue(machine.run("systemctl", "restart", "facetd").status() != 0);
            assertEquals("failed", machine.output("systemctl", "is-failed", "facetd"));
            assertTrue(
                    machine.output("journalctl", "--unit=facetd", "--no-pager", "--lines=20")
                            .contains("--devices is 0 to 16, or as many sizes: 8G,4G; not 'none'"));

            machine.output("sh", "-c", "echo FACETD_OPTIONS=--devices=2 > /etc/default/facet");
            machine.output("systemctl", "restart", "facetd");
            assertTrue(machine.output("facet", "status").contains("devices   2"));
            machine.output("dpkg", "--purge", "facet");
            assertFalse(machine.run("systemctl", "cat", "facetd").ok());
            assertFalse(machine.run("pgrep", "--full", "facet.node.Facetd").ok());
            assertFalse(machine.run("ls", "-d", "/run/facet").ok());
            assertFalse(machine.run("ls", "-d", "/var/lib/facet").ok());
        }
    }

    private static String property(SystemdMachine machine, String name) {
        return machine.output("systemctl", "show", "--property=" + name, "--value", "facetd");
    }

    private static void awaitSlices(SystemdMachine machine) throws InterruptedException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!machine.run("facet", "slices").ok() && System.nanoTime() < end) {
            Thread.sleep(100);
        }
    }

    @Test
    void theTextsAreWellFormed() throws IOException {
        root.dpkg("--install", deb.toString());
        Path hook = root.path().resolve("usr/share/containers/oci/hooks.d/facet.json");
        String program =
                new ObjectMapper().readTree(hook.toFile()).path("hook").path("path").asText();
        assertTrue(Files.isExecutable(root.path().resolve("." + program)), program);
        Path devices = root.path().resolve("etc/cdi/facet.json");
        assertEquals(
                "facet.dev/gpu",
                new ObjectMapper().readTree(devices.toFile()).path("kind").asText());
        String share = root.path() + "/usr/share";
        List<String> commands = new ArrayList<>();
        commands.add("bash -n " + share + "/bash-completion/completions/facet");
        commands.add("source " + share + "/bash-completion/completions/facet && complete -p facet");
        for (String each : commands) {
            Outcome outcome = Runner.build(List.of("bash", "-c", each), Places.MODULE);
            assertEquals(0, outcome.status(), outcome.report());
        }
        assumeTool("groff");
        Outcome page =
                Runner.build(
                        List.of(
                                "bash",
                                "-c",
                                "zcat " + share + "/man/man1/facet.1.gz | groff -ww -man -Tutf8"),
                        Places.MODULE);
        assertEquals("", page.errors(), "groff has complaints");
        for (String each : List.of("facet run", "facet up", "facet slice create", "facet top")) {
            assertTrue(page.output().contains(each), each);
        }
    }

    @Test
    void lintianFindsNoErrors() {
        assumeTool("lintian");
        Outcome outcome =
                Runner.build(
                        List.of("lintian", "--fail-on", "error", deb.toString()), Places.MODULE);
        assertEquals(0, outcome.status(), outcome.report());
    }
}
