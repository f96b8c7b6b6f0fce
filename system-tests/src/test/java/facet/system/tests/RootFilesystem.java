package facet.system.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a container sees as its machine, made of files of this one: a shell, and programs with the
 * libraries that the loader finds for them. Nothing of Facet is in it.
 */
final class RootFilesystem {
    private static final Pattern LIBRARY = Pattern.compile("(?:=> )?(/\\S+) \\(0x[0-9a-f]+\\)");

    private final Path path;

    private RootFilesystem(Path path) {
        this.path = path;
    }

    static RootFilesystem create(Path path) throws IOException {
        for (String each : List.of("bin", "proc", "dev", "sys", "tmp", "etc", "usr/lib", "run")) {
            Files.createDirectories(path.resolve(each));
        }
        RootFilesystem root = new RootFilesystem(path);
        Path busybox = Tools.onPath("busybox").orElseThrow();
        root.add(busybox, "/bin/busybox");
        for (String each : List.of("sh", "env", "cat", "sleep", "id", "ls")) {
            Files.createSymbolicLink(path.resolve("bin").resolve(each), Path.of("busybox"));
        }
        // Parts of libc that every image has which has a libc.
        root.addLibraries(Places.library("libcuda.so.1"));
        // A login shell begins with this.
        Files.writeString(path.resolve("etc/profile"), "export PATH=/bin; unset LD_PRELOAD\n");
        return root;
    }

    Path path() {
        return path;
    }

    /** A file, with the libraries that it is linked with and that this machine has. */
    void add(Path file, String place) throws IOException {
        copy(file, place);
        addLibraries(file);
    }

    private void addLibraries(Path file) throws IOException {
        Outcome linked = Runner.run(List.of("ldd", file.toString()), path, Map.of());
        if (!linked.ok()) {
            return; // It has none: it is linked statically.
        }
        for (String line : linked.output().lines().toList()) {
            Matcher matcher = LIBRARY.matcher(line);
            if (matcher.find()) {
                copy(Path.of(matcher.group(1)), matcher.group(1));
            }
        }
    }

    private void copy(Path file, String place) throws IOException {
        Path target = path.resolve(place.substring(1));
        Files.createDirectories(target.getParent());
        Files.copy(
                file.toRealPath(),
                target,
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
    }

    /** All that is in it, to see whether something was added or is left. */
    List<String> files() throws IOException {
        try (var all = Files.walk(path)) {
            return all.map(path::relativize).map(Path::toString).sorted().toList();
        }
    }
}
