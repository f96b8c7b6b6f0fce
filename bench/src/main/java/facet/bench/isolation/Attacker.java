package facet.bench.isolation;

import com.fasterxml.jackson.databind.JsonNode;
import facet.bench.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The program that attacks, in a slice of its own. */
final class Attacker implements AutoCloseable {
    private static final Path PROGRAM = Places.inRepository("native/target/bench/attack");
    private static final int PATIENCE_SECONDS = 60;
    private static final long TICK_NANOS = 10_000_000;

    private final Control control;
    private final Process process;
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();

    /**
     * @param directory of the daemon
     * @param port where the daemon listens for HTTP
     */
    Attacker(Path directory, Attack attack, Share share, int port) throws IOException {
        control = new Control(directory);
        try {
            Map<String, String> wanted = new LinkedHashMap<>(share.arguments());
            wanted.put("name", "attacker");
            wanted.put("memory", "640MiB");
            JsonNode made = control.ask("run", wanted);
            // In a session of its own, as a container is: the system weighs it as a whole.
            ProcessBuilder command =
                    new ProcessBuilder(
                            "setsid",
                            "--wait",
                            PROGRAM.toString(),
                            attack.name(),
                            Integer.toString(port));
            command.environment().put("FACET_SOCKET", made.path("socket").asText());
            process = command.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException | RuntimeException e) {
            control.close();
            throw e;
        }
        Thread.ofVirtual().name("reads the attacker").start(this::read);
    }

    private void read() {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                begun.complete(true);
            }
        } catch (IOException e) {
            begun.complete(false);
        }
        begun.complete(false);
    }

    void awaitBegun() throws IOException, InterruptedException {
        try {
            if (!begun.get(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the attacker has ended");
            }
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IOException("the attacker does not begin", e);
        }
    }

    /** Processor time of its processes that live, and of those that have ended. */
    long processorNanos() throws IOException {
        long ticks = 0;
        List<ProcessHandle> all =
                java.util.stream.Stream.concat(
                                java.util.stream.Stream.of(process.toHandle()),
                                process.descendants())
                        .toList();
        for (ProcessHandle each : all) {
            Path stat = Path.of("/proc/" + each.pid() + "/stat");
            try {
                String[] fields = Files.readString(stat).replaceFirst("^.*\\) ", "").split(" ", -1);
                for (int i = 11; i < 15; i++) {
                    ticks += Long.parseLong(fields[i]);
                }
            } catch (java.nio.file.NoSuchFileException e) {
                // It has just ended; its parent has its time.
            }
        }
        return ticks * TICK_NANOS;
    }

    @Override
    public void close() throws IOException {
        // Nobody begins again while the others are ended.
        List<ProcessHandle> all = process.descendants().toList();
        process.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        control.close();
    }
}
