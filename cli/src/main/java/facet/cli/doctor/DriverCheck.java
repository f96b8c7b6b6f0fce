package facet.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** GPUs of the machine and their driver. */
final class DriverCheck {
    private static final String ABOUT = "gpu";
    private static final Pattern VERSION = Pattern.compile("\\b(\\d{3}\\.\\d+(\\.\\d+)?)\\b");
    private static final String NVIDIA = "0x10de";
    private static final String DISPLAY = "0x03";

    private DriverCheck() {}

    static List<Finding> of(Machine machine) {
        List<Finding> found = new ArrayList<>();
        long cards =
                machine.files("/sys/bus/pci/devices", "*").stream()
                        .filter(each -> isCard(machine, each))
                        .count();
        Optional<String> driver = version(machine);
        if (cards == 0 && driver.isEmpty()) {
            found.add(Finding.good(ABOUT, "none of NVIDIA's; programs have software GPUs"));
            return found;
        }
        if (driver.isEmpty()) {
            found.add(
                    Finding.note(
                            ABOUT,
                            cards + " of NVIDIA's without the vendor's driver",
                            "install NVIDIA's driver and start the daemon anew to use them; until"
                                    + " then its devices are software GPUs"));
            return found;
        }
        found.add(
                Finding.note(
                        ABOUT,
                        cards + " of NVIDIA's with driver " + driver.get(),
                        "'facet up' uses them, 'facet up --gpu software' does not. Facet has not been"
                                + " tried on hardware yet: run 'facet selftest'"));
        List<Path> files = machine.files("/dev", "nvidia[0-9]*");
        List<String> closed =
                files.stream()
                        .filter(each -> !Files.isReadable(each) || !Files.isWritable(each))
                        .map(machine::name)
                        .toList();
        if (!closed.isEmpty()) {
            found.add(
                    Finding.note(
                            ABOUT,
                            "you may not use " + String.join(", ", closed),
                            "become a member of the group that owns them"));
        }
        return found;
    }

    private static boolean isCard(Machine machine, Path device) {
        return machine.text(device.resolve("vendor")).orElse("").strip().equals(NVIDIA)
                && machine.text(device.resolve("class")).orElse("").startsWith(DISPLAY);
    }

    private static Optional<String> version(Machine machine) {
        Matcher line =
                VERSION.matcher(machine.text(machine.at("/proc/driver/nvidia/version")).orElse(""));
        return line.find() ? Optional.of(line.group(1)) : Optional.empty();
    }
}
