package facet.node.container;

import facet.doors.control.ControlException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where the vendor's driver lies on this machine: what a container needs whose programs have it in
 * them. NVIDIA's container toolkit takes the same files.
 *
 * @param root below which dev and proc/driver/nvidia are; the machine's, but for tests
 * @param libraries folder of the vendor's libraries; empty: where the system has them
 * @param uuids of the node's devices, by their numbers
 */
public record VendorPlaces(Path root, Optional<Path> libraries, List<String> uuids) {
    /** Of the driver as a whole. The first must be there; the others come when they are used. */
    private static final String CONTROL = "nvidiactl";

    private static final List<String> COMMON = List.of("nvidia-uvm", "nvidia-uvm-tools");

    /** Where the kernel's part of the driver tells which device has which file. */
    private static final String GPUS = "proc/driver/nvidia/gpus";

    public VendorPlaces {
        uuids = List.copyOf(uuids);
    }

    /** The files of these devices, and of the driver. */
    public List<DeviceFile> files(List<Integer> devices) throws ControlException {
        Map<String, String> minors = minors();
        List<DeviceFile> files = new ArrayList<>();
        files.add(file(CONTROL));
        for (String each : COMMON) {
            if (Files.exists(root.resolve("dev").resolve(each))) {
                files.add(file(each));
            }
        }
        for (int device : devices) {
            String minor = minors.get(uuids.get(device));
            if (minor == null) {
                throw new ControlException(
                        "the driver does not tell in "
                                + root.resolve(GPUS)
                                + " which file device "
                                + device
                                + " ("
                                + uuids.get(device)
                                + ") has; instances of a divided GPU are for engine forwarded");
            }
            files.add(file("nvidia" + minor));
        }
        return files;
    }

    private DeviceFile file(String name) throws ControlException {
        Path path = root.resolve("dev").resolve(name);
        try {
            return DeviceFile.of(path, "/dev/" + name);
        } catch (IOException e) {
            throw new ControlException(
                    "the vendor's device file "
                            + path
                            + " cannot be used ("
                            + e.getMessage()
                            + "); 'nvidia-smi' on the machine makes it, where the driver is loaded",
                    e);
        }
    }

    /** Numbers of device files, by UUID. */
    private Map<String, String> minors() throws ControlException {
        Map<String, String> minors = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(root.resolve(GPUS))) {
            for (Path each : all) {
                Map<String, String> told = told(each.resolve("information"));
                String uuid = told.get("GPU UUID");
                String minor = told.getOrDefault("Device Minor", "");
                if (uuid != null && minor.matches("\\d{1,4}")) {
                    minors.put(uuid, minor);
                }
            }
        } catch (IOException e) {
            throw new ControlException(
                    "the vendor's driver tells nothing of its devices in "
                            + root.resolve(GPUS)
                            + ": is it loaded?",
                    e);
        }
        return minors;
    }

    private static Map<String, String> told(Path file) throws IOException {
        Map<String, String> told = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                told.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
            }
        }
        return told;
    }
}
