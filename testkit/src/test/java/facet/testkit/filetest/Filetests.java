package facet.testkit.filetest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where the files are. */
final class Filetests {
    private Filetests() {}

    /** The repository's filetests folder, from the working directory upwards. */
    static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path each = start; each != null; each = each.getParent()) {
            Path folder = each.resolve("filetests");
            if (Files.isRegularFile(folder.resolve("README.md"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no filetests folder above " + start);
    }

    static List<Path> all() {
        try {
            return FiletestMain.files(root());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
