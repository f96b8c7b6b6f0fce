package facet.abi;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** NVIDIA's headers and libraries, to compare the tables with. Nothing needs them to be built. */
public final class CudaToolkit {
    /** The tables are those of this version. */
    private static final String VERSION = "13.0";

    private CudaToolkit() {}

    /** Skips the test where there are none. */
    public static Path assumed() throws IOException {
        Optional<Path> found =
                List.of(
                                System.getenv().getOrDefault("CUDA_HOME", "/none"),
                                "/usr/local/cuda-" + VERSION,
                                "/usr/local/cuda")
                        .stream()
                        .map(Path::of)
                        .filter(folder -> Files.isReadable(folder.resolve("include/cuda.h")))
                        .findFirst();
        assumeTrue(found.isPresent(), "there is no CUDA toolkit (CUDA_HOME, /usr/local/cuda)");
        Path folder = found.orElseThrow();
        assumeTrue(
                Files.readString(folder.resolve("include/cuda.h"))
                        .contains("#define CUDA_VERSION 13000"),
                folder + " is not CUDA " + VERSION + ", of which the tables are");
        return folder;
    }

    public static Path include() throws IOException {
        return assumed().resolve("include");
    }
}
