package facet.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files by which podman and CRI-O call our hook. */
final class HookCheck {
    private static final String ABOUT = "hook";
    private static final List<String> FOLDERS =
            List.of("/usr/share/containers/oci/hooks.d", "/etc/containers/oci/hooks.d");

    private HookCheck() {}

    static List<Finding> of(Machine machine) {
        List<Finding> found = new ArrayList<>();
        for (String folder : FOLDERS) {
            for (Path file : machine.files(folder, "*facet*.json")) {
                found.add(of(machine, file));
            }
        }
        if (found.isEmpty() && machine.program("podman").isPresent()) {
            found.add(
                    Finding.note(
                            ABOUT,
                            "podman does not know it: variables such as FACET_MEMORY alone are not"
                                    + " enough",
                            "copy facet.json of the package to "
                                    + FOLDERS.getLast()
                                    + ", or name a device: --device facet.dev/gpu=all"));
        }
        return found;
    }

    private static Finding of(Machine machine, Path file) {
        Optional<JsonNode> read = machine.text(file).flatMap(JsonText::read);
        if (read.isEmpty()) {
            return Finding.problem(
                    ABOUT,
                    machine.name(file) + " cannot be read as JSON",
                    "install the package again");
        }
        return program(machine, ABOUT, file, read.get().path("hook").path("path").asText(""));
    }

    /** Whether the program that a file names is there. */
    static Finding program(Machine machine, String about, Path file, String path) {
        if (path.startsWith("/") && Files.isExecutable(machine.at(path))) {
            return Finding.good(about, machine.name(file) + " calls " + path);
        }
        return Finding.problem(
                about,
                machine.name(file)
                        + " calls "
                        + (path.isEmpty() ? "nothing" : path + ", which cannot be executed")
                        + ": containers that ask for a slice do not start",
                "install the package again, or remove the file");
    }
}
