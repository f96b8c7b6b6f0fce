package facet.bench.containers;

import facet.bench.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A container's files: some programs of this machine, and the libraries that they need. */
final class RootFilesystem {
    static final String TRUE = "/bin/true";
    static final String TENANT = "/bin/tenant";
    static final String KERNELS = "/tenant.ptx";

    private static final Path NATIVE = Places.inRepository("native/target");
    private static final Pattern LIBRARY =
            Pattern.compile("^\\s*(?:\\S+ => )?(/\\S+) \\(0x", Pattern.MULTILINE);
    private static final List<String> FOLDERS = List.of("bin", "dev", "etc", "proc", "sys", "tmp");

    private RootFilesystem() {}

    static void make(Path root) throws IOException, InterruptedException {
        for (String each : FOLDERS) {
            Files.createDirectories(root.resolve(each));
        }
        copy(Path.of("/bin/true"), root, TRUE);
        copy(NATIVE.resolve("bench/tenant"), root, TENANT);
        copy(Places.inRepository("bench/isolation/tenant.ptx"), root, KERNELS);
        Set<Path> libraries = new LinkedHashSet<>();
        // What is mounted needs libraries of the container too.
        for (String each : List.of("bench/tenant", "lib/libfacet-preload.so", "lib/libcuda.so.1")) {
            libraries.addAll(libraries(NATIVE.resolve(each)));
        }
        libraries.addAll(libraries(Path.of("/bin/true")));
        for (Path each : libraries) {
            if (!each.startsWith(NATIVE)) {
                copy(each, root, each.toString());
            }
        }
    }

    private static void copy(Path file, Path root, String place) throws IOException {
        Path target = root.resolve(place.substring(1));
        Files.createDirectories(target.resolveSibling(""));
        Files.copy(file.toRealPath(), target, StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static Set<Path> libraries(Path program) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder("ldd", program.toString()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("ldd " + program + ": " + output);
        }
        Set<Path> found = new LinkedHashSet<>();
        for (Matcher matcher = LIBRARY.matcher(output); matcher.find(); ) {
            found.add(Path.of(matcher.group(1)));
        }
        return found;
    }
}
