package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import facet.abi.Unsupported;
import facet.node.server.TestClient;
import facet.slices.Settings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class MetricsTest {
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    @TempDir private Path folder = Path.of("/nowhere");

    @SuppressWarnings("NullAway.Init") // before each test
    private TestDaemon daemon;

    @BeforeEach
    void start() throws Exception {
        daemon = new TestDaemon(folder, "--devices", "2");
    }

    @AfterEach
    void close() throws Exception {
        daemon.close();
    }

    /** Name, type and labels of each metric. */
    private static Map<String, String> exposed(String text) {
        Map<String, String> types = new TreeMap<>();
        Map<String, Set<String>> labels = new TreeMap<>();
        String name = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("# TYPE ")) {
                String[] words = line.split(" ", -1);
                name = words[2];
                types.put(name, words[3]);
                labels.put(name, new TreeSet<>());
            } else if (!line.startsWith("#")) {
                assertTrue(line.startsWith(name), line);
                Matcher label = LABEL.matcher(line);
                while (label.find()) {
                    labels.computeIfAbsent(name, key -> new TreeSet<>()).add(label.group(1));
                }
            }
        }
        labels.forEach((key, value) -> types.merge(key, value.toString(), (a, b) -> a + " " + b));
        return types;
    }

    @Test
    void whatIsExposedIsDocumentedAndTheOtherWayRound() throws Exception {
        Map<String, String> documented = new TreeMap<>();
        for (var row : new Documented("metrics.md").rows(Pattern.compile("^\\| `[a-z_]+` \\| "))) {
            Set<String> labels = new TreeSet<>();
            Arrays.stream(row.get(2).split(",", -1))
                    .map(each -> each.strip().replace("`", ""))
                    .filter(each -> !each.isEmpty())
                    .forEach(labels::add);
            documented.put(row.getFirst().replace("`", ""), row.get(1) + " " + labels);
        }
        // There is no other node here: PoolTest looks for those.
        documented.keySet().removeIf(each -> each.startsWith("facet_pool_"));
        askForWhatIsNotSupported();
        HttpResponse<String> response = daemon.get("/metrics");
        assertEquals(200, response.statusCode());
        assertEquals(documented, exposed(response.body()));
    }

    /** A metric whose labels are names has no line before there is a name. */
    private void askForWhatIsNotSupported() throws Exception {
        try (TestClient client = new TestClient(daemon.socket())) {
            client.post(new Unsupported("cuNoSuchCall".getBytes(StandardCharsets.US_ASCII)));
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (!daemon.get("/api/v1/unsupported").body().contains("cuNoSuchCall")) {
                assertTrue(System.nanoTime() < end, "it is not counted");
                Thread.sleep(20);
            }
        }
    }

    @Test
    void theFormatIsTheOneThatIsAskedFor() throws Exception {
        assertTrue(type(daemon.get("/metrics")).startsWith("text/plain; version=0.0.4"));
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> open =
                    client.send(
                            HttpRequest.newBuilder(URI.create(daemon.url() + "/metrics"))
                                    .header("Accept", "application/openmetrics-text; version=1.0.0")
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertTrue(type(open).startsWith("application/openmetrics-text"), type(open));
            assertTrue(open.body().endsWith("# EOF\n"));
        }
    }

    private static String type(HttpResponse<String> response) {
        return response.headers().firstValue("Content-Type").orElse("none");
    }

    @Test
    void aSliceThatIsGoneHasNoSeries() throws Exception {
        daemon.daemon()
                .create(Settings.NONE.slice("passing", new Settings.Whole(1 << 20, 1)), "somebody");
        assertTrue(daemon.get("/metrics").body().contains("slice=\"passing\""));
        daemon.daemon().remove("passing");
        // An answer serves all who ask within a second or so.
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (daemon.get("/metrics").body().contains("passing")) {
            assertTrue(System.nanoTime() < end, "its series stays");
            Thread.sleep(50);
        }
    }

    // ---- with Prometheus' own tools

    private static void assume(String tool) {
        boolean there =
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                        .anyMatch(each -> Files.isExecutable(Path.of(each).resolve(tool)));
        assumeTrue(there, tool + " is not installed (Debian package prometheus)");
    }

    @Test
    void promtoolHasNothingToSay() throws Exception {
        assume("promtool");
        Path text = folder.resolve("metrics.txt");
        Files.writeString(text, daemon.get("/metrics").body());
        Process process =
                new ProcessBuilder("promtool", "check", "metrics")
                        .redirectInput(text.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals("", said);
        assertEquals(0, process.waitFor());
    }

    @Test
    void aPrometheusServerScrapesIt() throws Exception {
        assume("prometheus");
        try (TestPrometheus prometheus =
                TestPrometheus.start(folder, URI.create(daemon.url()).getAuthority())) {
            String targets = prometheus.awaitAnswer("targets", "\"health\":\"up\"");
            assertTrue(targets.contains("\"lastError\":\"\""), targets);
            String series =
                    prometheus.awaitAnswer(
                            "query?query=facet_slice_memory_limit_bytes", "\"slice\":\"default\"");
            assertTrue(series.contains("\"268435456\""), series);
            // A rate needs two scrapes.
            prometheus.awaitAnswer(
                    "query?query=rate(facet_device_time_seconds_total%5B1m%5D)",
                    "\"device\":\"1\"");
            for (String each : questions()) {
                String answer = prometheus.ask("query?query=" + TestPrometheus.encoded(each));
                assertTrue(answer.contains("\"status\":\"success\""), each + ": " + answer);
                assertTrue(!answer.contains("\"warnings\""), each + ": " + answer);
                if (!each.contains(">")) {
                    assertTrue(answer.contains("\"value\":["), each + ": " + answer);
                }
            }
        }
    }

    /** Those of the documentation; a line that begins with blanks belongs to the one before. */
    private static Set<String> questions() throws Exception {
        Set<String> all = new TreeSet<>();
        StringBuilder one = new StringBuilder();
        for (String line : new Documented("metrics.md").fenced("## Questions")) {
            if (!line.startsWith(" ")) {
                if (!one.isEmpty()) {
                    all.add(one.toString());
                }
                one.setLength(0);
            }
            if (!line.isBlank() && !line.startsWith("#")) {
                one.append(line);
            }
        }
        all.add(one.toString());
        assertTrue(all.size() >= 4, all.toString());
        return all;
    }
}
