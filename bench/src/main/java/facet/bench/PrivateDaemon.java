package facet.bench;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A daemon of the benchmark's own, in a folder of its own, started as users start it. */
public final class PrivateDaemon implements AutoCloseable {
    public static final Path FACET = Places.inRepository("facet");

    private final Path directory;

    public PrivateDaemon() throws IOException {
        directory = Files.createTempDirectory("facet-bench");
    }

    /**
     * @param more options of the daemon
     */
    public void up(String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(FACET.toString(), "up", "--quiet"));
        command.addAll(List.of(more));
        run(command.toArray(String[]::new));
        sharePrecedence(pid());
    }

    /**
     * Linux weighs sessions against each other before processes, and a daemon begins a session, as
     * a container does: it gets the benchmark's own weight, which may have been raised because the
     * machine is busy.
     */
    public static void sharePrecedence(long process) throws IOException {
        Path own = Path.of("/proc/self/autogroup");
        String nice = Files.exists(own) ? Files.readString(own).strip() : "";
        nice = nice.substring(nice.lastIndexOf(' ') + 1);
        if (nice.startsWith("-")) {
            Files.writeString(Path.of("/proc/" + process + "/autogroup"), nice);
        }
    }

    /** Where its sockets are. */
    public Path directory() {
        return directory;
    }

    public void down() throws IOException, InterruptedException {
        run(FACET.toString(), "down", "--force");
    }

    /** Runs a command to its end and gives what it printed. */
    public List<String> run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("FACET_RUNTIME_DIR", directory.toString());
        Path errors = Files.createTempFile(directory, "errors", ".txt");
        Process process = builder.redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        String error = Files.readString(errors);
        Files.delete(errors);
        if (status != 0) {
            throw new IOException(
                    String.join(" ", command) + " ended with status " + status + ": " + error);
        }
        return output.lines().toList();
    }

    /** With {@code facet run} before it. */
    public List<String> runOnFacet(String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(FACET.toString(), "run", "--"));
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new));
    }

    /** The daemon's process. */
    public long pid() throws IOException, InterruptedException {
        for (String line : run(FACET.toString(), "status", "-o", "json")) {
            if (line.contains("\"pid\"")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("the daemon does not tell its process");
    }

    @Override
    public void close() throws IOException {
        if (Files.exists(directory.resolve("control"))) {
            try {
                down();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the daemon was left running");
            }
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path each : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
