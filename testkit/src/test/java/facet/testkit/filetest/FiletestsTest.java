package facet.testkit.filetest;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import facet.device.Device;
import facet.device.cpu.CpuDevice;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Every file of the repository's filetests folder, on the software GPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FiletestsTest {
    private static final int AT_LEAST = 250;

    private final Device device = CpuDevice.create();
    private final FiletestRunner runner = new FiletestRunner(device);

    @BeforeAll
    void theFolderIsThere() {
        assertTrue(Filetests.root().toFile().isDirectory());
    }

    @AfterAll
    void close() {
        device.close();
    }

    @Test
    void noneGotLost() {
        int count = Filetests.all().size();
        assertTrue(count >= AT_LEAST, "only " + count + " files");
    }

    @TestFactory
    Stream<DynamicTest> files() {
        Path root = Filetests.root();
        return Filetests.all().stream()
                .map(file ->
                        DynamicTest.dynamicTest(
                                root.relativize(file).toString(), file.toUri(), () -> run(file)));
    }

    private void run(Path file) {
        String text = Filetests.read(file);
        Outcome outcome = runner.run(text);
        if (outcome.passed()) {
            return;
        }
        String report =
                outcome.mismatches().stream()
                        .map(each -> file + ":" + each)
                        .collect(Collectors.joining("\n"));
        if (FiletestRunner.isKnownToFail(text)) {
            abort("known to fail: " + report);
        }
        fail(report);
    }
}
