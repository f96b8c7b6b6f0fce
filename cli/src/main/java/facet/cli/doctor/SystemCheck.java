package facet.cli.doctor;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kernel and the machine's memory. */
final class SystemCheck {
    private static final String ABOUT = "system";
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");
    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d{1,15}) kB");
    private static final long LEAST_MEMORY = 1L << 30;
    private static final int KIBI = 1024;

    /** Mounts by descriptor came with it, of which containers' slices are made. */
    private static final int MAJOR = 5;

    private static final int MINOR = 12;

    private SystemCheck() {}

    static List<Finding> of(Machine machine) {
        List<Finding> found = new ArrayList<>();
        found.add(kernel(machine));
        found.add(groups(machine));
        memory(machine).ifPresent(found::add);
        return found;
    }

    private static Finding kernel(Machine machine) {
        String release = machine.text(machine.at("/proc/sys/kernel/osrelease")).orElse("").strip();
        Matcher version = VERSION.matcher(release);
        if (!version.lookingAt()) {
            return Finding.note(
                    ABOUT, "the version of the kernel is not known", "see that /proc is mounted");
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        if (major > MAJOR || major == MAJOR && minor >= MINOR) {
            return Finding.good(ABOUT, "Linux " + release);
        }
        return Finding.problem(
                ABOUT,
                "Linux " + release + " cannot give slices to containers",
                "install Linux 5.12 or newer; Debian 12, Ubuntu 22.04 and RHEL 9 have it");
    }

    private static Finding groups(Machine machine) {
        if (Files.exists(machine.at("/sys/fs/cgroup/cgroup.controllers"))) {
            return Finding.good(ABOUT, "control groups of version 2");
        }
        if (Files.exists(machine.at("/sys/fs/cgroup/memory"))) {
            return Finding.good(ABOUT, "control groups of version 1");
        }
        return Finding.note(
                ABOUT,
                "no control groups: processes of slices have no limit of host memory",
                "mount them at /sys/fs/cgroup, as systemd does");
    }

    private static Optional<Finding> memory(Machine machine) {
        Matcher line = AVAILABLE.matcher(machine.text(machine.at("/proc/meminfo")).orElse(""));
        if (!line.find()) {
            return Optional.empty();
        }
        long bytes = Long.parseLong(line.group(1)) * KIBI;
        String text = (bytes >> 20) + " MiB of memory are available";
        return Optional.of(
                bytes >= LEAST_MEMORY
                        ? Finding.good(ABOUT, text)
                        : Finding.problem(
                                ABOUT,
                                text + ", which software GPUs share with all else",
                                "end other programs, or 'facet up --memory' with less"));
    }
}
