package facet.system.tests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs a process to its end. */
final class Runner {
    /** For what hangs: on a machine with twenty times as much to do as it can, programs end too. */
    private static final int PROGRAM_SECONDS = 300;

    /** For compilers: on a busy machine the first build with sanitizers takes many minutes. */
    private static final int BUILD_SECONDS = 1800;

    private Runner() {}

    /** Runs a compiler, or a script that runs some. */
    static Outcome build(List<String> command, Path directory) {
        return run(command, directory, Map.of(), BUILD_SECONDS);
    }

    static Outcome run(List<String> command, Path directory, Map<String, String> environment) {
        return run(command, directory, environment, PROGRAM_SECONDS);
    }

    /**
     * @param limit seconds after which it is killed
     */
    static Outcome run(
            List<String> command, Path directory, Map<String, String> environment, int limit) {
        try {
            long start = System.nanoTime();
            Process process = start(command, directory, environment);
            process.getOutputStream().close();
            CompletableFuture<String> output = read(process.getInputStream());
            CompletableFuture<String> errors = read(process.getErrorStream());
            boolean ended = process.waitFor(limit, TimeUnit.SECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            int status = ended ? process.exitValue() : Outcome.TIME_UP;
            return new Outcome(command, status, output.join(), errors.join(), seconds);
        } catch (IOException e) {
            throw new IllegalStateException(command.getFirst() + " does not start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Of the environment of this process nothing gets through that is about Facet or the loader.
     */
    static Process start(List<String> command, Path directory, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("LD_") || name.startsWith("FACET_"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static CompletableFuture<String> read(InputStream stream) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        text.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        text.complete("(the rest cannot be read: " + e.getMessage() + ")\n");
                    }
                });
        return text;
    }
}
