package facet.node;

import facet.doors.control.Access;
import facet.log.Log;
import facet.slices.document.StateFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A daemon in this process that listens for HTTP at loopback. */
@SuppressWarnings("try") // closing may be interrupted
final class TestDaemon implements AutoCloseable {
    private final List<AutoCloseable> open = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Daemon daemon;
    private final Path runtime;

    TestDaemon(Path folder, String... more) throws Exception {
        runtime = folder.resolve("run");
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--runtime-dir",
                                runtime.toString(),
                                "--state-dir",
                                folder.resolve("state").toString(),
                                "--http",
                                "127.0.0.1:0"));
        arguments.addAll(List.of(more));
        // Sizes of devices say it themselves.
        if (arguments.stream().noneMatch(each -> each.matches("\\d+M,.*"))) {
            arguments.addAll(List.of("--memory", "256M"));
        }
        Options options = Options.parse(arguments.toArray(String[]::new));
        Log log =
                new Log(
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                        Log.Level.DEBUG);
        RuntimeFolder taken = closing(RuntimeFolder.take(options.runtime(), Access.OWNER));
        StateFolder state = closing(StateFolder.take(options.state()));
        daemon = closing(new Daemon(options, Facetd.MAINS, taken, state, log));
        closing(new HttpDoors(options.http(), options.state(), daemon, log));
    }

    private <T extends AutoCloseable> T closing(T one) {
        open.add(one);
        return one;
    }

    Daemon daemon() {
        return daemon;
    }

    /** Of the default slice. */
    Path socket() {
        return runtime.resolve("socket");
    }

    /** As in http://127.0.0.1:1234. */
    String url() {
        return String.valueOf(daemon.status().get("http"));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url() + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        client.close();
    }
}
