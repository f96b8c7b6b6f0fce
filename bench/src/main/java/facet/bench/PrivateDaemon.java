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
final class PrivateDaemon implements AutoCloseable {
    static final Path FACET = Places.inRepository("facet");

    private final Path directory;

    PrivateDaemon() throws IOException {
        directory = Files.createTempDirectory("facet-bench");
    }

    Path directory() {
        return directory;
    }

    void up() throws IOException, InterruptedException {
        run(FACET.toString(), "up", "--quiet");
    }

    void down() throws IOException, InterruptedException {
        run(FACET.toString(), "down", "--force");
    }

    /** Runs a command to its end and gives what it printed. */
    List<String> run(String... command) throws IOException, InterruptedException {
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
    List<String> runOnFacet(String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(FACET.toString(), "run", "--"));
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new));
    }

    /** The daemon's process. */
    long pid() throws IOException, InterruptedException {
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
