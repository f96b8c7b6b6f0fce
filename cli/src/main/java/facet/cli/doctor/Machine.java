package facet.cli.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The machine's files, as far as they can be looked at.
 *
 * @param root what takes the place of /
 * @param environment of the command
 * @param installed where Facet's libraries and programs are, in folders lib and bin
 */
public record Machine(Path root, Map<String, String> environment, Path installed) {
    private static final int MOST_BYTES = 1 << 20;

    /** A file of the machine by its absolute name. */
    Path at(String name) {
        return root.resolve(name.substring(1));
    }

    /** Its text; empty where it is not there, cannot be read, or is no text of such a kind. */
    Optional<String> text(Path file) {
        try {
            // Files of the system have no size, and others are not read for ever.
            try (var in = Files.newInputStream(file)) {
                return Optional.of(
                        new String(
                                in.readNBytes(MOST_BYTES),
                                java.nio.charset.StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** What is in a folder, in order of names; empty where there is none. */
    List<Path> files(String folder, String pattern) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(at(folder), pattern)) {
            all.forEach(found::add);
        } catch (IOException e) {
            return List.of();
        }
        Collections.sort(found);
        return found;
    }

    /** A program by its name. */
    Optional<Path> program(String name) {
        for (String each : environment.getOrDefault("PATH", "").split(":", -1)) {
            if (each.startsWith("/") && Files.isExecutable(at(each).resolve(name))) {
                return Optional.of(at(each).resolve(name));
            }
        }
        return Optional.empty();
    }

    /** How people know a file. */
    String name(Path file) {
        return "/" + root.relativize(file);
    }
}
