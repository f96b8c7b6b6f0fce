package facet.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the direct engine needs: the vendor's driver in programs, and in containers. */
final class DirectCheck {
    private static final String ABOUT = "direct";

    /** Beside the folders that the package has anyway. */
    private static final List<String> NEEDED =
            List.of(
                    "direct/libcuda.so.1",
                    "direct/libfacet-unruled.so.1",
                    "direct/libfacet-direct.so",
                    "direct/management/libnvidia-ml.so.1");

    /** Where distributions and the vendor's installer put libraries; as native/direct looks. */
    private static final List<String> FOLDERS =
            List.of(
                    "/usr/lib/x86_64-linux-gnu",
                    "/usr/lib/x86_64-linux-gnu/nvidia/current",
                    "/usr/lib64",
                    "/usr/lib",
                    "/usr/local/nvidia/lib64",
                    "/usr/lib/wsl/lib",
                    "/run/opengl-driver/lib");

    private static final List<String> COMMON =
            List.of("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools");

    private static final String CDI = "'facet cdi --direct --output /etc/cdi/facet-direct.json'";

    private DirectCheck() {}

    static List<Finding> of(Machine machine, DaemonState daemon) {
        if (!Files.exists(machine.at("/proc/driver/nvidia/version"))) {
            return List.of(
                    Finding.good(
                            ABOUT,
                            "programs have the forwarded engine; the other one needs a vendor's"
                                    + " driver"));
        }
        List<Finding> found = new ArrayList<>();
        own(machine, found);
        libraries(machine, found);
        devices(machine, found);
        containers(machine, daemon, found);
        return found;
    }

    private static void own(Machine machine, List<Finding> found) {
        List<String> missing =
                NEEDED.stream()
                        .filter(each -> !Files.isReadable(machine.installed().resolve(each)))
                        .toList();
        if (!missing.isEmpty()) {
            found.add(
                    Finding.problem(
                            ABOUT,
                            machine.installed() + " lacks " + String.join(", ", missing),
                            "install the package again, or build with './facet up'"));
        }
    }

    private static void libraries(Machine machine, List<Finding> found) {
        Optional<String> folder = folderOf(machine, "libcuda.so.1");
        if (folder.isEmpty()) {
            found.add(
                    Finding.problem(
                            ABOUT,
                            "no libcuda.so.1 of the vendor's in " + String.join(", ", FOLDERS),
                            "install the driver's libraries (Debian: libcuda1), or name their folder"
                                    + " in FACET_VENDOR_LIBRARIES and 'facet up"
                                    + " --vendor-libraries'"));
            return;
        }
        found.add(Finding.good(ABOUT, "the vendor's libcuda.so.1 is in " + folder.get()));
        if (folderOf(machine, "libnvidia-ml.so.1").isEmpty()) {
            found.add(
                    Finding.note(
                            ABOUT,
                            "no libnvidia-ml.so.1: contexts and code are not charged to slices",
                            "install it (Debian: libnvidia-ml1)"));
        }
        if (folderOf(machine, "libnvidia-ptxjitcompiler.so.1").isEmpty()) {
            found.add(
                    Finding.note(
                            ABOUT,
                            "no libnvidia-ptxjitcompiler.so.1: programs that bring PTX alone cannot"
                                    + " run",
                            "install it (Debian: libnvidia-ptxjitcompiler1)"));
        }
    }

    private static Optional<String> folderOf(Machine machine, String library) {
        return FOLDERS.stream()
                .filter(each -> Files.isReadable(machine.at(each).resolve(library)))
                .findFirst();
    }

    private static void devices(Machine machine, List<Finding> found) {
        List<String> missing =
                COMMON.stream().filter(each -> !Files.exists(machine.at(each))).toList();
        if (!missing.isEmpty()) {
            found.add(
                    Finding.note(
                            ABOUT,
                            "device files are missing: " + String.join(", ", missing),
                            "'nvidia-modprobe -u -c 0', or 'nvidia-smi' as root, makes them;"
                                    + " nvidia-persistenced keeps them"));
        }
        List<String> closed =
                COMMON.stream()
                        .filter(each -> Files.exists(machine.at(each)))
                        .filter(each ->
                                !Files.isReadable(machine.at(each))
                                        || !Files.isWritable(machine.at(each)))
                        .toList();
        if (!closed.isEmpty()) {
            found.add(
                    Finding.problem(
                            ABOUT,
                            "you may not use " + String.join(", ", closed),
                            "become a member of the group that owns them, or use 'facet run"
                                    + " --engine forwarded'"));
        }
        if (machine.files("/proc/driver/nvidia/gpus", "*").isEmpty()) {
            found.add(
                    Finding.note(
                            ABOUT,
                            "/proc/driver/nvidia/gpus names no GPU: containers cannot have this"
                                    + " engine",
                            "load the driver: 'modprobe nvidia'"));
        }
    }

    private static void containers(Machine machine, DaemonState daemon, List<Finding> found) {
        List<Path> files = new ArrayList<>();
        for (String folder : CdiCheck.FOLDERS) {
            for (Path file : machine.files(folder, "*.json")) {
                machine.text(file)
                        .flatMap(JsonText::read)
                        .filter(read -> read.path("kind").asText("").equals("facet.dev/direct"))
                        .ifPresent(read -> {
                            files.add(file);
                            nodes(machine, file, read, found);
                        });
            }
        }
        if (!daemon.answers()) {
            return;
        }
        boolean allowed = daemon.status().path("containersDirect").asBoolean();
        if (!allowed) {
            found.add(
                    files.isEmpty()
                            ? Finding.good(
                                    ABOUT, "containers have the forwarded engine, a boundary")
                            : Finding.problem(
                                    ABOUT,
                                    machine.name(files.getFirst())
                                            + " names devices that no container may have",
                                    "remove the file, or start facetd with --container-most"
                                            + " engine=direct where containers are trusted"));
            return;
        }
        found.add(
                files.isEmpty()
                        ? Finding.note(
                                ABOUT,
                                "containers may have it by facet-runtime alone: no CDI file names"
                                        + " facet.dev/direct",
                                CDI + " writes one")
                        : Finding.note(
                                ABOUT,
                                "containers may have it, and then there is no boundary",
                                "start facetd without --container-most engine=direct where"
                                        + " containers are strangers'"));
    }

    /** Device files have other numbers after a change of cards. */
    private static void nodes(Machine machine, Path file, JsonNode read, List<Finding> found) {
        List<String> gone = new ArrayList<>();
        for (JsonNode device : read.path("devices")) {
            for (JsonNode node : device.path("containerEdits").path("deviceNodes")) {
                String host = node.path("hostPath").asText("");
                if (host.startsWith("/")
                        && !Files.exists(machine.at(host))
                        && !gone.contains(host)) {
                    gone.add(host);
                }
            }
        }
        if (!gone.isEmpty()) {
            found.add(
                    Finding.problem(
                            ABOUT,
                            machine.name(file)
                                    + " names files that are not there: "
                                    + String.join(", ", gone),
                            CDI + " writes it anew"));
        }
    }
}
