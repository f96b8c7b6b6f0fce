package facet.node.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What tells this machine from others. */
final class MachineId {
    private MachineId() {}

    /** Containers have none of their own: there the device's names repeat, which harms nobody. */
    static String text() {
        try {
            return Files.readString(Path.of("/etc/machine-id")).strip();
        } catch (IOException e) {
            return "none";
        }
    }
}
