package facet.bench.escape;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where ways are tried: a daemon that runs, and how programs of its slices come to its device.
 *
 * @param runtimeDirectory of the daemon, which runs as the same user
 */
record Ground(Path runtimeDirectory, Means means) {
    /**
     * A slice that lives as long as the answer.
     *
     * @param wanted {@code memory=64M compute=20}
     */
    Node slice(String name, String wanted) throws IOException {
        return new Node(runtimeDirectory, "escape-" + name, wanted + means.settings());
    }

    Map<String, String> environment(Node node) {
        return means.environment().apply(node.socket());
    }
}
