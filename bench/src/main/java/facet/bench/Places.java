package facet.bench;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the kernels, the baseline programs and the PTX of the tests are. */
public final class Places {
    private static final Path ROOT = root();

    private Places() {}

    /** The repository: the first directory above these classes, or above here, with the kernels. */
    private static Path root() {
        for (Path start : new Path[] {classes(), Path.of("").toAbsolutePath()}) {
            for (Path each = start; each != null; each = each.getParent()) {
                if (Files.isRegularFile(each.resolve("bench/kernels/saxpy.ptx"))) {
                    return each;
                }
            }
        }
        throw new IllegalStateException(
                "bench/kernels was not found; run the benchmark in a checkout of the repository");
    }

    private static Path classes() {
        try {
            return Path.of(
                    Places.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public static Path inRepository(String path) {
        return ROOT.resolve(path);
    }

    /** The PTX of one of the benchmark's kernels. */
    static String kernel(String name) throws IOException {
        return Files.readString(ROOT.resolve("bench/kernels/" + name + ".ptx"));
    }
}
