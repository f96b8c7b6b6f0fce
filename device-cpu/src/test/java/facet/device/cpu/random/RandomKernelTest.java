package facet.device.cpu.random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.Device;
import facet.device.cpu.CpuDevice;
import facet.device.cpu.parts.PartedDevice;
import facet.device.cpu.parts.Parts;
import facet.device.cpu.random.Comparison.Case;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.rewrite.BlockForm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random kernels on the software GPU against the interpreter; {@link Trial} says how to repeat. */
final class RandomKernelTest {
    /** Not closed: that would wait for a kernel that may never end. Its threads are daemons. */
    private static final Device DEVICE = CpuDevice.create();

    private static final List<String> OPTIONS =
            List.of("facet.seed", "facet.random.count", "facet.random.failures");

    @Test
    void deviceAgreesWithInterpreter() {
        assertEquals(
                "", String.join("\n\n", Trial.failures(DEVICE, KernelGenerator::generate, 300)));
    }

    /** Also stopped and continued, where they are persistent; the seeds are the same each time. */
    @ParameterizedTest
    @EnumSource
    void partedLaunchesAgree(BlockForm form) {
        Device parted = new PartedDevice(DEVICE, Parts.random(form, 7));
        assertEquals(
                "", String.join("\n\n", Trial.failures(parted, KernelGenerator::generate, 100)));
    }

    @Test
    void kernelsForRowsAgreeOneThreadAtATime() {
        assertEquals("", String.join("\n\n", Trial.failures(DEVICE, RowGenerator::generate, 50)));
    }

    /** When vector code is made is decided once for a JVM, so that this takes another one. */
    @Test
    void rowsOfThreadsAgree() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        for (String name : OPTIONS) {
            String value = System.getProperty(name);
            if (value != null) {
                command.add("-D" + name + "=" + value);
            }
        }
        command.add("-Dfacet.rows.after=0");
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), RowsProcess.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    /** Otherwise the kernels above would prove nothing. */
    @Test
    void orderOfThreadsDoesNotShow() {
        for (long seed = 1; seed <= 15; seed++) {
            GeneratedKernel kernel = KernelGenerator.generate(seed);
            Module module = Parser.parse(kernel.text());
            byte[] one = kernel.memory();
            byte[] two = kernel.memory();
            Comparison.interpret(module, Case.of(kernel), 1 << 20, one, 1);
            Comparison.interpret(module, Case.of(kernel), 1 << 20, two, 2);
            assertArrayEquals(one, two, "seed " + seed);
        }
    }
}
