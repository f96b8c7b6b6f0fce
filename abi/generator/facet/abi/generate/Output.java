package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A folder of generated files. A file that would not change is left alone, so that make and Maven
 * rest.
 */
final class Output {
    private final Path folder;
    private final Set<Path> written = new HashSet<>();

    Output(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
    }

    void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        if (!written.add(file)) {
            throw new IllegalStateException(file + " is written twice");
        }
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.writeString(file, text);
        }
    }

    /** Removes what an earlier run has left and this one did not write. */
    void removeOthers() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> others =
                    files.filter(Files::isRegularFile)
                            .filter(file -> !written.contains(file))
                            .toList();
            for (Path other : others) {
                Files.delete(other);
            }
        }
    }
}
