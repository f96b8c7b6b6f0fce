package facet.jit.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every kind of access at every kind of address, against {@link Checker}. {@code -Dfacet.seed=N}
 * says with which kernel to begin, {@code -Dfacet.accesses=N} how many accesses to try; {@code
 * ./facet explore} begins where nobody has been.
 */
final class AccessOracleTest {
    private static final long USUAL = 1_000_000;

    @Test
    void kernelsReachWhatTheyMayAndNothingElse() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(OracleProcess.class.getName());
        command.add(Long.toString(Long.getLong("facet.seed", 1)));
        command.add(Long.toString(Long.getLong("facet.accesses", USUAL)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.println(output);
        assertEquals(0, process.waitFor(), output);
    }
}
