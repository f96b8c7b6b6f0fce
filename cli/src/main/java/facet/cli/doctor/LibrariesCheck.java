package facet.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What programs are given: our libraries, and what could come before them. */
final class LibrariesCheck {
    private static final String ABOUT = "libraries";

    /** Without these programs find no device. */
    private static final List<String> NEEDED =
            List.of("lib/libcuda.so.1", "lib/libnvidia-ml.so.1", "bin/facet-run", "bin/facet-hook");

    private LibrariesCheck() {}

    static List<Finding> of(Machine machine) {
        List<Finding> found = new ArrayList<>();
        List<String> missing =
                NEEDED.stream()
                        .filter(each -> !Files.isReadable(machine.installed().resolve(each)))
                        .toList();
        found.add(
                missing.isEmpty()
                        ? Finding.good(ABOUT, "Facet's are in " + machine.installed())
                        : Finding.problem(
                                ABOUT,
                                machine.installed() + " lacks " + String.join(", ", missing),
                                "install the package again, or build with './facet up'"));
        preload(machine, found);
        path(machine, found);
        return found;
    }

    /** One for all programs would be loaded into the daemon too. */
    private static void preload(Machine machine, List<Finding> found) {
        String text = machine.text(machine.at("/etc/ld.so.preload")).orElse("");
        if (text.contains("vgpu") || text.contains("facet")) {
            found.add(
                    Finding.problem(
                            ABOUT,
                            "/etc/ld.so.preload names " + text.strip(),
                            "remove the line: on the machine itself no program needs it, and other"
                                    + " limits stand before ours"));
        }
    }

    private static void path(Machine machine, List<Finding> found) {
        for (String each :
                machine.environment().getOrDefault("LD_LIBRARY_PATH", "").split(":", -1)) {
            if (!each.startsWith("/")) {
                continue;
            }
            Path library = machine.at(each).resolve("libcuda.so.1");
            if (Files.exists(library) && !library.startsWith(machine.installed())) {
                found.add(
                        Finding.note(
                                ABOUT,
                                "LD_LIBRARY_PATH has another libcuda.so.1 in " + each,
                                "start programs with 'facet run', which puts ours first"));
            }
        }
    }
}
