package facet.bench.isolation;

import facet.bench.Places;
import facet.bench.PrivateDaemon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A program in a slice of its own, which does what it is told: {@code bench/isolation/tenant.c}.
 */
final class Tenant implements AutoCloseable {
    private static final Path PROGRAM = Places.inRepository("native/target/bench/tenant");
    private static final Path KERNELS = Places.inRepository("bench/isolation/tenant.ptx");
    private static final String DONE = "done";
    private static final String ENDED = "ended";

    /** Longer than anything takes that is not stuck. */
    private static final int PATIENCE_SECONDS = 300;

    private final Control control;
    private final String slice;
    private final boolean ownsSlice;
    private final Process process;
    private final Path errors;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /**
     * @param directory of the daemon
     */
    static Tenant start(Path directory, String name, Share share) throws IOException {
        if (!Files.isExecutable(PROGRAM)) {
            throw new IOException(
                    PROGRAM + " is missing. A C compiler builds it (Debian: gcc, libc6-dev)");
        }
        Control control = new Control(directory);
        try {
            Map<String, String> wanted = new LinkedHashMap<>(share.arguments());
            wanted.put("name", name);
            wanted.put("memory", "64MiB");
            // Not one that goes with its program: those cannot be changed.
            control.ask("slice-create", wanted);
            ProcessBuilder builder = new ProcessBuilder(PROGRAM.toString(), KERNELS.toString());
            builder.environment().put("FACET_SOCKET", control.socket(name));
            return new Tenant(control, directory, name, builder, true);
        } catch (IOException | RuntimeException e) {
            control.close();
            throw e;
        }
    }

    /**
     * One that a command starts, in a slice that comes and goes with the command.
     *
     * @param control closed with it
     * @param directory for what it says that went wrong
     */
    static Tenant of(Control control, Path directory, String slice, ProcessBuilder command)
            throws IOException {
        return new Tenant(control, directory, slice, command, false);
    }

    private Tenant(
            Control control,
            Path directory,
            String slice,
            ProcessBuilder command,
            boolean ownsSlice)
            throws IOException {
        this.control = control;
        this.slice = slice;
        this.ownsSlice = ownsSlice;
        this.errors = Files.createTempFile(directory, "tenant", ".txt");
        this.process = command.redirectError(errors.toFile()).start();
        Thread.ofVirtual().name("reads " + slice).start(this::read);
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            reader.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add(e.toString());
        }
        lines.add(ENDED);
    }

    String slice() {
        return slice;
    }

    /** Its slice has this from now on. */
    void change(Share share) throws IOException {
        Map<String, String> wanted = share.arguments();
        if (!wanted.isEmpty()) {
            wanted.put("name", slice);
            control.ask("slice-set", wanted);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Of a program that a runtime has put into a session of its own. */
    void sharePrecedence() throws IOException {
        for (ProcessHandle each : process.descendants().toList()) {
            PrivateDaemon.sharePrecedence(each.pid());
        }
    }

    /** Tells it something; {@link #answer} is to follow. */
    void tell(String command, Object... values) throws IOException {
        StringBuilder line = new StringBuilder(command);
        for (Object each : values) {
            line.append(' ').append(each);
        }
        process.outputWriter(StandardCharsets.UTF_8).append(line.append('\n')).flush();
    }

    /** What it printed until it was done with what it was told; at first: until it had begun. */
    List<String> answer() throws IOException, InterruptedException {
        List<String> answer = new ArrayList<>();
        while (true) {
            String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (line == null || line.equals(ENDED)) {
                throw new IOException(
                        "the program of slice "
                                + slice
                                + (line == null ? " does not go on" : " has ended")
                                + ": "
                                + String.join("; ", answer)
                                + Files.readString(errors));
            }
            if (line.equals(DONE)) {
                return answer;
            }
            answer.add(line);
        }
    }

    List<String> ask(String command, Object... values) throws IOException, InterruptedException {
        tell(command, values);
        return answer();
    }

    /** Lets the program end by itself, so that whoever has started it can tidy up. */
    void finish() throws IOException, InterruptedException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        close();
    }

    /** Ends the program and its slice. */
    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try (control) {
            if (ownsSlice) {
                control.ask("slice-delete", Map.of("name", slice, "force", "true"));
            }
        }
    }
}
