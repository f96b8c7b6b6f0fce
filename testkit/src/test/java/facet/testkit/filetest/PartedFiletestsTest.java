package facet.testkit.filetest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Device;
import facet.device.cpu.CpuDevice;
import facet.device.cpu.parts.PartedDevice;
import facet.device.cpu.parts.Parts;
import facet.ptx.rewrite.BlockForm;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The same files with their kernels rewritten and their launches in parts: what they expect is what
 * they expect of whole launches. Files about errors are left out, since rewritten text has other
 * lines.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PartedFiletestsTest {
    private final Device device = CpuDevice.create();

    @AfterAll
    void close() {
        device.close();
    }

    @TestFactory
    Stream<DynamicTest> rangesOfOne() {
        return files(Parts.of(BlockForm.RANGES, 1, 1));
    }

    @TestFactory
    Stream<DynamicTest> rangesOfAnySize() {
        return files(Parts.random(BlockForm.RANGES, 1));
    }

    @TestFactory
    Stream<DynamicTest> persistentInOneGo() {
        return files(Parts.whole(BlockForm.PERSISTENT, 2));
    }

    @TestFactory
    Stream<DynamicTest> persistentStoppedAndContinued() {
        return files(Parts.random(BlockForm.PERSISTENT, 2));
    }

    private Stream<DynamicTest> files(Parts parts) {
        FiletestRunner runner = new FiletestRunner(new PartedDevice(device, parts));
        Path root = Filetests.root();
        return Filetests.all().stream()
                .filter(file -> isRun(Filetests.read(file)))
                .map(file ->
                        DynamicTest.dynamicTest(
                                root.relativize(file).toString(), () -> run(runner, file)));
    }

    private static boolean isRun(String text) {
        if (PrintTest.is(text)) {
            return false;
        }
        Filetest test = FiletestParser.parse(text);
        return test.refused().isEmpty()
                && test.fails().isEmpty()
                && test.steps().stream().allMatch(step -> step.error().isEmpty());
    }

    private static void run(FiletestRunner runner, Path file) {
        Outcome outcome = runner.run(Filetests.read(file));
        assertTrue(
                outcome.passed(),
                () ->
                        outcome.mismatches().stream()
                                .map(each -> file + ":" + each)
                                .collect(Collectors.joining("\n")));
    }
}
