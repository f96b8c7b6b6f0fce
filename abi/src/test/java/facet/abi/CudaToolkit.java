package facet.abi;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** NVIDIA's headers and libraries, to compare the tables with. Nothing needs them to be built. */
public final class CudaToolkit {
    private CudaToolkit() {}

    /** Skips the test where there are none. */
    public static Path assumed() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("../testkit/cuda").start();
        String folder = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(
                process.waitFor() == 0,
                "there is no CUDA 13.0, of which the tables are; testkit/cuda --install fetches it");
        return Path.of(folder.strip());
    }

    public static Path include() throws IOException, InterruptedException {
        return assumed().resolve("include");
    }
}
