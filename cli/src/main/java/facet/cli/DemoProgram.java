package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program of the demo in a slice of its own. The slice is ours, not the program's: it is still
 * there when the program has ended, so that its figures can be read.
 */
final class DemoProgram implements AutoCloseable {
    /** Where programs, kernels and libraries were built; the script tells. */
    private static final Path NATIVE = Path.of(System.getProperty("facet.native", "native/target"));

    private final String name;
    private final Control control;
    private final String slice;
    private final Process process;
    private int status = -1;
    private String printed = "";

    private DemoProgram(String name, Control control, String slice, Process process) {
        this.name = name;
        this.control = control;
        this.slice = slice;
        this.process = process;
    }

    static DemoProgram start(Control control, String name, long memory, String... arguments)
            throws IOException {
        try {
            Path program = NATIVE.resolve("demo").resolve(name);
            if (!Files.isExecutable(program)) {
                throw new CommandFailure(
                        program + " is missing. A C compiler builds it (Debian: gcc, libc6-dev)");
            }
            JsonNode slice =
                    control.ask(
                            "run",
                            Map.of(
                                    "name",
                                    "demo-" + name + "-" + ProcessHandle.current().pid(),
                                    "memory",
                                    Long.toString(memory),
                                    "engine",
                                    "forwarded"));
            List<String> command = new ArrayList<>();
            command.add(program.toString());
            command.add(NATIVE.resolve("demo/kernels.ptx").toString());
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("LD_LIBRARY_PATH", NATIVE.resolve("lib").toString());
            builder.environment().put("FACET_SOCKET", slice.path("socket").asText());
            return new DemoProgram(name, control, slice.path("slice").asText(), builder.start());
        } catch (IOException | RuntimeException e) {
            control.close();
            throw e;
        }
    }

    void await() throws IOException, InterruptedException {
        printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        status = process.waitFor();
    }

    String name() {
        return name;
    }

    boolean ok() {
        return status == 0;
    }

    /** Bytes of device memory as the program saw them: MiB before the first tab of its output. */
    long sees() {
        int tab = printed.indexOf('\t');
        return ok() && tab > 0 ? Long.parseLong(printed.substring(0, tab)) << 20 : 0;
    }

    String result() {
        return ok() ? printed.substring(printed.indexOf('\t') + 1) : "failed: " + printed;
    }

    /** The slice as the daemon has it. */
    JsonNode usage() {
        for (JsonNode each : control.ask("slices").path("slices")) {
            if (each.path("name").asText().equals(slice)) {
                return each;
            }
        }
        throw new CommandFailure("the daemon has lost the slice " + slice);
    }

    @Override
    public void close() {
        process.destroy();
        control.close();
    }
}
