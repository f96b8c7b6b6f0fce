package facet.kube.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The programs of Kubernetes, as testkit/kubernetes finds them. */
public final class Programs {
    private static final Optional<Map<String, Path>> FOUND = find();

    private Programs() {}

    /** The folder of the sources, whichever module's tests run. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("testkit/kubernetes"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("this is no checkout of Facet");
            }
        }
        return folder;
    }

    public static boolean areThere() {
        return FOUND.isPresent();
    }

    /** Skips the test where they are not. */
    public static void assume() {
        assumeTrue(
                areThere(),
                "there is no Kubernetes 1.36; testkit/kubernetes --install builds it from the Go"
                        + " module proxy");
    }

    public static Path of(String name) {
        Path path = FOUND.orElseThrow().get(name);
        if (path == null) {
            throw new IllegalArgumentException("testkit/kubernetes does not know " + name);
        }
        return path;
    }

    private static Optional<Map<String, Path>> find() {
        try {
            Process process =
                    new ProcessBuilder(root().resolve("testkit/kubernetes").toString())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process.getOutputStream().close();
            String lines =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                return Optional.empty();
            }
            Map<String, Path> all = new HashMap<>();
            lines.lines()
                    .map(Path::of)
                    .forEach(each -> all.put(each.getFileName().toString(), each));
            return Optional.of(all);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
