package facet.ptx.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CUDA's own assembler takes what is rewritten, wherever it takes the text itself. */
final class PtxasTest {
    private static final List<String> FOLDERS =
            List.of(
                    "device-cpu/src/test/resources/cuda",
                    "bench/kernels",
                    "native/demo",
                    "ptx/src/test/resources/ptx",
                    "filetests/barrier",
                    "filetests/call",
                    "filetests/control",
                    "filetests/special");

    @TempDir private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"sm_75", "sm_90", "sm_120"})
    void takesWhatIsRewritten(String architecture) throws Exception {
        Path root = root();
        Path assembler = assembler(root);
        List<Callable<String>> trials = new ArrayList<>();
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.walk(root.resolve(folder))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".ptx")).sorted().toList()) {
                    trials.add(() -> trial(assembler, file, architecture));
                }
            }
        }
        List<String> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (Future<String> each : threads.invokeAll(trials)) {
                results.add(each.get());
            }
        }
        assertEquals(
                List.of(),
                results.stream().filter(each -> !each.equals("taken") && !each.isEmpty()).toList());
        long taken = results.stream().filter("taken"::equals).count();
        assertTrue(taken >= 80, "only " + taken + " texts are for " + architecture);
    }

    /** Empty when the text itself is not taken, or not rewritten. */
    private String trial(Path assembler, Path file, String architecture)
            throws IOException, InterruptedException {
        String text =
                Files.readString(file)
                        .replaceFirst("\\.target\\s+sm_\\w+", ".target " + architecture);
        String result = "";
        for (BlockForm form : BlockForm.values()) {
            Rewritten rewritten;
            try {
                rewritten = Rewrite.rewrite(text, form);
            } catch (facet.ptx.PtxException e) {
                return "";
            }
            if (rewritten.kernels().isEmpty()) {
                continue;
            }
            String problem = assemble(assembler, rewritten.text(), architecture);
            if (problem.isEmpty()) {
                result = "taken";
            } else if (assemble(assembler, text, architecture).isEmpty()) {
                return file + " " + form + ": " + problem;
            }
        }
        return result;
    }

    private String assemble(Path assembler, String text, String architecture)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile(directory, "a", ".ptx");
        Files.writeString(file, text);
        Process process =
                new ProcessBuilder(
                                assembler.toString(),
                                "-c",
                                "-O1",
                                "-arch",
                                architecture,
                                "-o",
                                "/dev/null",
                                file.toString())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        Files.delete(file);
        return code == 0 ? "" : code + ": " + output;
    }

    private static Path assembler(Path root) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(root.resolve("testkit/cuda").toString()).start();
        String folder =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assumeTrue(process.waitFor() == 0, "no CUDA here");
        return Path.of(folder, "bin", "ptxas");
    }

    private static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path each = start; each != null; each = each.getParent()) {
            if (Files.isRegularFile(each.resolve("filetests/README.md"))) {
                return each;
            }
        }
        throw new IllegalStateException("no repository above " + start);
    }
}
