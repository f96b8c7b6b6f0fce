package facet.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import facet.cli.doctor.Finding.Grade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine of few files: each is what one check looks at. */
final class ExaminationTest {
    private static final String HOOK = "/usr/lib/facet/bin/facet-hook";

    @TempDir private Path root = Path.of("");

    private DaemonState daemon = DaemonState.absent(Path.of("/run/facet"), "no daemon answers");

    @BeforeEach
    void aMachineThatIsRight() throws IOException {
        file("/proc/sys/kernel/osrelease", "6.12.3-amd64\n");
        file("/proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable:    8000000 kB\n");
        file("/sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
        for (String each : List.of("lib/libcuda.so.1", "lib/libnvidia-ml.so.1", "bin/facet-run")) {
            file("/usr/lib/facet/" + each, "");
        }
        program(HOOK);
        daemon =
                new DaemonState(
                        Path.of("/run/facet"),
                        new ObjectMapper()
                                .readTree(
                                        "{\"pid\": 7, \"devices\": 1, \"http\": \"127.0.0.1:7411\"}"),
                        new ObjectMapper().readTree("[{\"device\": 0}]"),
                        "");
    }

    private void file(String name, String text) throws IOException {
        Path path = root.resolve(name.substring(1));
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void program(String name) throws IOException {
        file(name, "");
        assertTrue(root.resolve(name.substring(1)).toFile().setExecutable(true));
    }

    private List<Finding> examine(Map<String, String> environment) {
        return Examination.of(
                new Machine(root, environment, root.resolve("usr/lib/facet")), daemon);
    }

    private List<Finding> examine() {
        return examine(Map.of("PATH", "/usr/bin"));
    }

    /** The only thing that is not good. */
    private static Finding one(List<Finding> all) {
        List<Finding> found = all.stream().filter(each -> each.grade() != Grade.GOOD).toList();
        assertEquals(1, found.size(), found::toString);
        return found.getFirst();
    }

    private static void assertFinding(Grade grade, String text, String advice, Finding found) {
        assertEquals(grade, found.grade(), found::toString);
        assertTrue(found.text().contains(text), found::toString);
        assertTrue(found.advice().contains(advice), found::toString);
    }

    @Test
    void nothingIsInTheWay() {
        assertTrue(
                examine().stream().allMatch(each -> each.grade() == Grade.GOOD),
                () -> "" + examine());
    }

    @Test
    void aDriverThatDoesNotAnswer() throws IOException {
        daemon =
                new DaemonState(
                        Path.of("/run/facet"),
                        new ObjectMapper()
                                .readTree(
                                        "{\"pid\": 7, \"http\": \"127.0.0.1:7411\","
                                                + " \"stalledDrivers\": [\"device 0 stands\"]}"),
                        new ObjectMapper().readTree("[{\"device\": 0}]"),
                        "");
        assertFinding(Grade.PROBLEM, "device 0 stands", "dmesg", one(examine()));
    }

    @Test
    void anOldKernel() throws IOException {
        file("/proc/sys/kernel/osrelease", "5.10.0-28-amd64\n");
        assertFinding(Grade.PROBLEM, "5.10.0", "5.12 or newer", one(examine()));
    }

    @Test
    void noControlGroups() throws IOException {
        Files.delete(root.resolve("sys/fs/cgroup/cgroup.controllers"));
        assertFinding(Grade.NOTE, "no control groups", "mount them", one(examine()));
        Files.createDirectories(root.resolve("sys/fs/cgroup/memory"));
        assertTrue(examine().stream().allMatch(each -> each.grade() == Grade.GOOD));
    }

    @Test
    void littleMemory() throws IOException {
        file("/proc/meminfo", "MemAvailable: 204800 kB\n");
        assertFinding(Grade.PROBLEM, "200 MiB", "--memory", one(examine()));
    }

    @Test
    void aLibraryIsMissing() throws IOException {
        Files.delete(root.resolve("usr/lib/facet/lib/libcuda.so.1"));
        assertFinding(Grade.PROBLEM, "lacks lib/libcuda.so.1", "install", one(examine()));
    }

    @Test
    void anotherLibraryComesFirst() throws IOException {
        file("/opt/cuda/libcuda.so.1", "");
        assertFinding(
                Grade.NOTE,
                "/opt/cuda",
                "facet run",
                one(examine(Map.of("LD_LIBRARY_PATH", "relative::/opt/cuda"))));
    }

    @Test
    void anotherLimitIsPreloaded() throws IOException {
        file("/etc/ld.so.preload", "/usr/local/vgpu/libvgpu.so\n");
        assertFinding(Grade.PROBLEM, "libvgpu.so", "remove the line", one(examine()));
    }

    @Test
    void noDaemon() {
        daemon = DaemonState.absent(Path.of("/run/facet"), "no daemon answers; 'facet up'");
        assertFinding(Grade.PROBLEM, "facet up", "", one(examine()));
    }

    @Test
    void thePortIsTaken() throws IOException {
        daemon = DaemonState.absent(Path.of("/run/facet"), "no daemon answers");
        file(
                "/proc/net/tcp",
                """
                  sl  local_address rem_address   st
                   0: 0100007F:1CF3 00000000:0000 0A 00000000:00000000
                """);
        assertTrue(
                examine().stream()
                        .anyMatch(each ->
                                each.grade() == Grade.PROBLEM && each.text().contains("7411")));
        // Somebody who is connected to such a port elsewhere does not have it here.
        file(
                "/proc/net/tcp",
                """
                  sl  local_address rem_address   st
                   0: 0100007F:9000 0100007F:1CF3 01 00000000:00000000
                """);
        assertTrue(examine().stream().anyMatch(each -> each.text().contains("7411 is free")));
    }

    @Test
    void aDriver() throws IOException {
        file("/sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
        file("/sys/bus/pci/devices/0000:01:00.0/class", "0x030000\n");
        file("/sys/bus/pci/devices/0000:01:00.1/vendor", "0x10de\n");
        file("/sys/bus/pci/devices/0000:01:00.1/class", "0x040300\n");
        assertFinding(Grade.NOTE, "1 of NVIDIA's without", "software", one(examine()));
        driver();
        assertFinding(Grade.NOTE, "driver 550.163.01", "--gpu software", one(examine()));
    }

    /** All that both engines need of the vendor's. */
    private void driver() throws IOException {
        file(
                "/proc/driver/nvidia/version",
                "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.163.01  Tue Apr  8\n");
        file("/proc/driver/nvidia/gpus/0000:01:00.0/information", "Device Minor: \t 0\n");
        for (String each : List.of("libcuda.so.1", "libfacet-unruled.so.1", "libfacet-direct.so")) {
            file("/usr/lib/facet/direct/" + each, "");
        }
        file("/usr/lib/facet/direct/management/libnvidia-ml.so.1", "");
        for (String each : List.of("libcuda", "libnvidia-ml", "libnvidia-ptxjitcompiler")) {
            file("/usr/lib64/" + each + ".so.1", "");
        }
        for (String each : List.of("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia0")) {
            file("/dev/" + each, "");
        }
    }

    /** The findings about the direct engine that are not good. */
    private Finding direct() {
        return one(examine().stream().filter(each -> each.about().equals("direct")).toList());
    }

    @Test
    void whatTheDirectEngineLacks() throws IOException {
        driver();
        List<Finding> found = examine().stream().filter(e -> e.about().equals("direct")).toList();
        assertTrue(found.stream().allMatch(e -> e.grade() == Grade.GOOD), found::toString);
        Files.delete(root.resolve("dev/nvidia-uvm"));
        assertFinding(Grade.NOTE, "/dev/nvidia-uvm", "nvidia-modprobe", direct());
        driver();
        Files.delete(root.resolve("usr/lib64/libnvidia-ptxjitcompiler.so.1"));
        assertFinding(Grade.NOTE, "PTX", "install it", direct());
        driver();
        Files.delete(root.resolve("usr/lib64/libcuda.so.1"));
        assertFinding(Grade.PROBLEM, "no libcuda.so.1", "--vendor-libraries", direct());
        driver();
        Files.delete(root.resolve("usr/lib/facet/direct/libcuda.so.1"));
        assertFinding(Grade.PROBLEM, "lacks direct/libcuda.so.1", "install", direct());
        driver();
        Files.delete(root.resolve("proc/driver/nvidia/gpus/0000:01:00.0/information"));
        Files.delete(root.resolve("proc/driver/nvidia/gpus/0000:01:00.0"));
        assertFinding(Grade.NOTE, "names no GPU", "modprobe", direct());
    }

    @Test
    void containersWithTheDirectEngine() throws IOException {
        driver();
        String file =
                "{\"kind\": \"facet.dev/direct\", \"devices\": [{\"name\": \"0\","
                        + " \"containerEdits\": {\"deviceNodes\": [{\"hostPath\": \"/dev/nvidia%s\"}]}}],"
                        + " \"containerEdits\": {\"hooks\": [{\"path\": \""
                        + HOOK
                        + "\"}]}}";
        file("/etc/cdi/direct.json", file.formatted("0"));
        assertFinding(Grade.PROBLEM, "no container may have", "engine=direct", direct());
        daemon =
                new DaemonState(
                        Path.of("/run/facet"),
                        new ObjectMapper().readTree("{\"pid\": 7, \"containersDirect\": true}"),
                        new ObjectMapper().readTree("[{\"device\": 0}]"),
                        "");
        assertFinding(Grade.NOTE, "no boundary", "strangers", direct());
        file("/etc/cdi/direct.json", file.formatted("4"));
        assertTrue(
                examine().stream()
                        .anyMatch(each ->
                                each.grade() == Grade.PROBLEM
                                        && each.text().contains("/dev/nvidia4")),
                () -> "" + examine());
        Files.delete(root.resolve("etc/cdi/direct.json"));
        assertFinding(Grade.NOTE, "facet-runtime alone", "facet cdi --direct", direct());
    }

    @Test
    void anEngineThatDoesNotKnowUs() throws IOException {
        program("/usr/bin/podman");
        program("/usr/bin/crun");
        List<Finding> found =
                examine().stream().filter(each -> each.grade() != Grade.GOOD).toList();
        assertEquals(List.of("hook", "cdi"), found.stream().map(Finding::about).toList());
    }

    @Test
    void filesThatCallWhatIsNotThere() throws IOException {
        file(
                "/usr/share/containers/oci/hooks.d/facet.json",
                "{\"hook\": {\"path\": \"/gone/facet-hook\"}}");
        assertFinding(Grade.PROBLEM, "/gone/facet-hook", "remove the file", one(examine()));
        file("/usr/share/containers/oci/hooks.d/facet.json", "no JSON");
        assertFinding(Grade.PROBLEM, "cannot be read as JSON", "install", one(examine()));
        file(
                "/usr/share/containers/oci/hooks.d/facet.json",
                "{\"hook\": {\"path\": \"" + HOOK + "\"}}");
        assertTrue(examine().stream().allMatch(each -> each.grade() == Grade.GOOD));
    }

    @Test
    void cdiFilesThatLackADevice() throws IOException {
        file("/etc/cdi/other.json", "{\"kind\": \"nvidia.com/gpu\"}");
        file("/etc/cdi/broken.json", "[");
        file(
                "/etc/cdi/facet.json",
                "{\"kind\": \"facet.dev/gpu\", \"devices\": [{\"name\": \"all\"}, {\"name\": \"0\"}],"
                        + " \"containerEdits\": {\"hooks\": [{\"path\": \""
                        + HOOK
                        + "\"}]}}");
        assertTrue(examine().stream().allMatch(each -> each.grade() == Grade.GOOD));
        daemon =
                new DaemonState(
                        daemon.directory(),
                        daemon.status(),
                        new ObjectMapper().readTree("[{\"device\": 0}, {\"device\": 1}]"),
                        "");
        assertFinding(Grade.NOTE, "no file names device 1", "facet cdi", one(examine()));
    }
}
