package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The PTX that is kept in the repository is what its sources give: each folder's script compiles a
 * copy.
 */
class KeptPtxTest {
    /** Some sixty compilations, on a machine that may be busy. */
    private static final int SECONDS = 900;

    @TempDir private Path copy;

    @ParameterizedTest
    @CsvSource({
        "ptx/src/test/cuda, ptx/src/test/resources/ptx",
        "device-cpu/src/test/cuda, device-cpu/src/test/resources/cuda",
        "bench/kernels, bench/kernels",
        "bench/kernels/kinds, bench/kernels/kinds",
        "bench/escape, bench/escape",
        "native/demo, native/demo",
        "system-tests, system-tests/ptx",
    })
    void isWhatItsSourcesGive(String script, String kept) throws IOException {
        Path nvcc = Tools.assumedNvcc();
        Path sources = script.equals("system-tests") ? Path.of(kept) : Path.of(script);
        copy(sources, ".cu");
        copy(sources, ".cuh");
        Path compile = Path.of(script).resolve("compile");
        Files.copy(Places.ROOT.resolve(compile), copy.resolve(compile));
        Outcome outcome =
                Runner.run(
                        List.of(copy.resolve(compile).toString()),
                        copy,
                        Map.of("NVCC", nvcc.toString()),
                        SECONDS);
        assertEquals(0, outcome.status(), outcome.report());
        List<Path> fresh = files(copy.resolve(kept), ".ptx");
        assertFalse(fresh.isEmpty(), outcome.report());
        assertEquals(
                names(files(Places.ROOT.resolve(kept), ".ptx")),
                names(fresh),
                "each has its source");
        for (Path each : fresh) {
            Path old = Places.ROOT.resolve(kept).resolve(each.getFileName());
            assertEquals(
                    -1,
                    Files.mismatch(old, each),
                    old + " is not what its source gives; run " + compile);
        }
    }

    private void copy(Path folder, String ending) throws IOException {
        Files.createDirectories(copy.resolve(folder));
        for (Path each : files(Places.ROOT.resolve(folder), ending)) {
            Files.copy(each, copy.resolve(folder).resolve(each.getFileName()));
        }
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(each -> each.toString().endsWith(ending)).sorted().toList();
        }
    }

    private static List<String> names(List<Path> files) {
        return files.stream().map(each -> each.getFileName().toString()).toList();
    }
}
