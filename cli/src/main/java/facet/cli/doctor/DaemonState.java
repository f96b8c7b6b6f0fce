package facet.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.file.Path;

/**
 * What the daemon says of itself.
 *
 * @param directory where its sockets are
 * @param status its answer, or a missing node
 * @param devices its devices, or a missing node
 * @param failure why there is no answer; empty when there is one
 */
public record DaemonState(Path directory, JsonNode status, JsonNode devices, String failure) {
    public static DaemonState absent(Path directory, String failure) {
        return new DaemonState(
                directory, MissingNode.getInstance(), MissingNode.getInstance(), failure);
    }

    boolean answers() {
        return failure.isEmpty();
    }
}
