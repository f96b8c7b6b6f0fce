package facet.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The files by which engines know our devices. */
final class CdiCheck {
    private static final String ABOUT = "cdi";
    static final List<String> FOLDERS = List.of("/etc/cdi", "/var/run/cdi");
    private static final String KIND = "facet.dev/";
    private static final String WRITE = "'facet cdi --output /etc/cdi/facet.json'";

    private CdiCheck() {}

    static List<Finding> of(Machine machine, DaemonState daemon) {
        List<Finding> found = new ArrayList<>();
        Set<String> devices = new LinkedHashSet<>();
        for (String folder : FOLDERS) {
            for (Path file : machine.files(folder, "*.json")) {
                Optional<JsonNode> read = machine.text(file).flatMap(JsonText::read);
                if (read.isPresent() && read.get().path("kind").asText("").startsWith(KIND)) {
                    found.add(HookCheck.program(machine, ABOUT, file, hook(read.get())));
                    if (!read.get().path("kind").asText().equals("facet.dev/direct")) {
                        read.get()
                                .path("devices")
                                .forEach(each -> devices.add(each.path("name").asText()));
                    }
                }
            }
        }
        if (found.isEmpty()) {
            return machine.program("podman").isPresent()
                            || machine.program("containerd").isPresent()
                    ? List.of(
                            Finding.note(
                                    ABOUT,
                                    "engines do not know Facet's devices",
                                    WRITE + " tells them"))
                    : List.of();
        }
        for (JsonNode each : daemon.devices()) {
            if (!devices.contains(each.path("device").asText())) {
                found.add(
                        Finding.note(
                                ABOUT,
                                "no file names device " + each.path("device").asText(),
                                WRITE + " names all that the daemon has"));
            }
        }
        return found;
    }

    /** Of the whole file, or of its first device where each has its own. */
    private static String hook(JsonNode file) {
        JsonNode whole = file.path("containerEdits").path("hooks").path(0).path("path");
        return whole.isMissingNode()
                ? file.path("devices")
                        .path(0)
                        .path("containerEdits")
                        .path("hooks")
                        .path(0)
                        .path("path")
                        .asText("")
                : whole.asText("");
    }
}
