package facet.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A Prometheus server at loopback that scrapes one target several times a second. */
final class TestPrometheus implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final int port;
    private final Path log;
    private final HttpClient client = HttpClient.newHttpClient();

    private TestPrometheus(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    static TestPrometheus start(Path folder, String target) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path config = folder.resolve("prometheus.yml");
        Files.writeString(
                config,
                """
                global: {scrape_interval: 300ms, scrape_timeout: 300ms}
                scrape_configs:
                  - job_name: facet
                    static_configs: [{targets: ['%s']}]
                """
                        .formatted(target));
        Path log = folder.resolve("prometheus.log");
        Process process =
                new ProcessBuilder(
                                "prometheus",
                                "--config.file=" + config,
                                "--storage.tsdb.path=" + folder.resolve("prometheus"),
                                "--web.listen-address=127.0.0.1:" + port)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        return new TestPrometheus(process, port, log);
    }

    static String encoded(String query) {
        return URLEncoder.encode(query, StandardCharsets.UTF_8);
    }

    String ask(String what) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(
                                        URI.create("http://127.0.0.1:" + port + "/api/v1/" + what))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Asks until the answer has that text in it. */
    String awaitAnswer(String what, String text) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        String last = "";
        while (System.nanoTime() - end < 0 && process.isAlive()) {
            try {
                last = ask(what);
                if (last.contains(text)) {
                    return last;
                }
            } catch (IOException e) {
                last = e.toString();
            }
            Thread.sleep(100);
        }
        throw new AssertionError(
                what + " has no " + text + " but " + last + "\n" + Files.readString(log));
    }

    @Override
    public void close() {
        client.close();
        process.destroy();
        try {
            process.onExit().get(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
        }
    }
}
