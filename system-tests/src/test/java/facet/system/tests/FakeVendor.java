package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * A machine with a vendor's driver, as files: libraries with a version, device files, what the
 * kernel's part tells of its devices, tools and firmware. The libraries are Facet's own, so that
 * the driver works; the device files are others that any kernel has.
 *
 * @param root below which all of it lies
 */
record FakeVendor(Path root) {
    static final String VERSION = "999.42";

    /** Numbers that containers may not open unless they were told so: those of /dev/fuse. */
    static final String NUMBERS = "10 229";

    /**
     * @param uuid of the device that has /dev/nvidia3
     */
    static FakeVendor create(Path root, String uuid) throws IOException {
        FakeVendor vendor = new FakeVendor(root);
        Files.createDirectories(vendor.libraries());
        Files.createDirectories(root.resolve("dev"));
        vendor.library("libcuda.so", "1", Places.library("libcuda.so.1"));
        vendor.library("libnvidia-ml.so", "1", Places.library("libnvidia-ml.so.1"));
        vendor.library("libnvidia-ptxjitcompiler.so", "1", Places.library("libcudart.so.12"));
        vendor.library("libnvidia-nvvm.so", "4", Places.library("libcudart.so.12"));
        // Of another version: not this driver's.
        Files.writeString(vendor.libraries().resolve("libnvidia-old.so.111.1"), "");
        for (String each : List.of("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia0")) {
            vendor.device(each, "1 3");
        }
        vendor.device("nvidia3", NUMBERS);
        vendor.file(
                "proc/driver/nvidia/gpus/0000:01:00.0/information",
                "Model: \t\t Fake\nGPU UUID: \t " + uuid + "\nDevice Minor: \t 3\n");
        vendor.file("lib/firmware/nvidia/" + VERSION + "/gsp_ga10x.bin", "firmware");
        Path tool = vendor.file("usr/bin/nvidia-smi", "#!/bin/sh\necho tool\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
        return vendor;
    }

    Path libraries() {
        return root.resolve("usr/lib/driver");
    }

    private void library(String name, String link, Path file) throws IOException {
        String real = name + "." + VERSION;
        Files.copy(file, libraries().resolve(real));
        Files.createSymbolicLink(libraries().resolve(name + "." + link), Path.of(real));
    }

    private void device(String name, String numbers) {
        String path = root.resolve("dev").resolve(name).toString();
        Outcome made =
                Runner.run(
                        List.of("sh", "-c", "mknod -m 666 " + path + " c " + numbers),
                        root,
                        Map.of());
        assertTrue(made.ok(), made::report);
    }

    private Path file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** Options of a daemon whose devices this driver has. */
    List<String> options(String socket) {
        return List.of(
                "--http",
                "off",
                "--gpu",
                "vendor",
                "--vendor-libraries",
                libraries().toString(),
                "--vendor-root",
                root.toString(),
                "--vendor-environment",
                "FACET_SOCKET=" + socket);
    }
}
