package facet.node;

import facet.device.nvidia.VendorSettings;
import facet.node.confine.WorkerFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the vendor's driver opens in a worker: its libraries, its devices, and where it reads. */
final class VendorFiles {
    /** Where systems keep libraries; a driver's come with a dozen others that it loads by name. */
    private static final List<String> FOLDERS =
            List.of(
                    "/usr/lib/x86_64-linux-gnu",
                    "/usr/lib64",
                    "/usr/lib/aarch64-linux-gnu",
                    "/usr/lib/wsl",
                    "/etc/ld.so.cache",
                    "/proc/driver/nvidia",
                    "/sys/bus/pci",
                    "/sys/devices");

    private static final String DEVICES = "{nvidia*,dxg}";

    private VendorFiles() {}

    static WorkerFiles of(VendorSettings settings) throws IOException {
        List<Path> reads = new ArrayList<>();
        settings.libraries().ifPresent(reads::add);
        for (String each : FOLDERS) {
            if (Files.exists(Path.of(each))
                    && (settings.libraries().isEmpty()
                            || each.startsWith("/proc")
                            || each.startsWith("/sys"))) {
                reads.add(Path.of(each));
            }
        }
        List<Path> devices = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/dev"), DEVICES)) {
            all.forEach(devices::add);
        }
        // A driver that is itself a client of a daemon is told where that listens.
        String socket = settings.environment().get("FACET_SOCKET");
        if (socket != null) {
            devices.add(Path.of(socket));
        }
        return new WorkerFiles(reads, devices);
    }
}
