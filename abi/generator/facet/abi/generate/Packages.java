package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The folders of generated Java. */
final class Packages {
    private final Path root;
    private final Map<String, Output> folders = new LinkedHashMap<>();

    Packages(Path root) {
        this.root = root;
    }

    Output of(String name) throws IOException {
        Output folder = folders.get(name);
        if (folder == null) {
            folder = new Output(root.resolve(name.replace('.', '/')));
            folders.put(name, folder);
        }
        return folder;
    }

    void removeOthers() throws IOException {
        for (Output each : folders.values()) {
            each.removeOthers();
        }
    }
}
