package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.ptx.rewrite.BlockForm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything that the tests of kernels say holds for rewritten kernels too, launched in parts of
 * random sizes, and stopped and continued where they are persistent.
 */
final class KernelsInPartsTest {
    @ParameterizedTest
    @EnumSource
    void allTestsOfKernels(BlockForm form) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-Dfacet.parts=" + form.text());
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        KernelsInPartsProcess.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }
}
