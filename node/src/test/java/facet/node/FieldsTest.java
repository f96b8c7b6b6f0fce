package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import facet.abi.Unsupported;
import facet.doors.control.Change;
import facet.doors.control.Json;
import facet.doors.events.Event;
import facet.doors.events.Kind;
import facet.log.Format;
import facet.log.Log;
import facet.log.Who;
import facet.node.server.SliceServer;
import facet.node.server.TestClient;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every field that is answered is in docs/api.md, and every one that is there is answered. */
@Timeout(300)
class FieldsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir private Path folder = Path.of("/nowhere");

    @SuppressWarnings("NullAway.Init") // before each test
    private TestDaemon daemon;

    @SuppressWarnings("NullAway.Init") // before each test
    private Documented documented;

    @BeforeEach
    void start() throws Exception {
        daemon = new TestDaemon(folder, "--devices", "2");
        documented = new Documented("api.md");
    }

    @AfterEach
    void close() throws Exception {
        daemon.close();
    }

    private JsonNode get(String path) throws Exception {
        return MAPPER.readTree(daemon.get(path).body());
    }

    private static Set<String> fields(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static Set<String> fields(Map<String, Object> row) throws Exception {
        return fields(MAPPER.readTree(Json.line(row)));
    }

    private static Set<String> without(Set<String> all, Set<String> known) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(known);
        return rest;
    }

    /** Of slices with a process of their own alone. */
    private static final Set<String> WORKER = Set.of("workerPid", "workerMemory");

    @Test
    void statusDevicesSlicesAndSessions() throws Exception {
        assertEquals(documented.names("**status**"), fields(get("/api/v1/status")));
        assertEquals(
                Set.of("node"),
                without(
                        documented.names("**device**"),
                        fields(get("/api/v1/devices").at("/devices/0"))));
        SliceServer server = daemon.daemon().create(whole(), "somebody");
        assertEquals(
                union(WORKER, Set.of("node")),
                without(
                        documented.names("**slice**"),
                        fields(
                                SliceRows.slice(
                                        server,
                                        false,
                                        Optional.of("web"),
                                        Optional.of("far"),
                                        EngineChoice.of(whole(), true, true)))));
        Set<String> plain = fields(get("/api/v1/slices").at("/slices/0"));
        Set<String> missing = new TreeSet<>(WORKER);
        missing.addAll(Set.of("container", "node", "forNode"));
        assertEquals(missing, without(documented.names("**slice**"), plain));
        assertEquals(plain, fields(get("/api/v1/slices/default")));
        TestClient client = new TestClient(daemon.socket());
        try {
            // It is there a moment after its client was welcomed.
            long end = System.nanoTime() + 60_000_000_000L;
            JsonNode session = get("/api/v1/sessions").at("/sessions/0");
            while (session.isMissingNode() && System.nanoTime() - end < 0) {
                Thread.sleep(20);
                session = get("/api/v1/sessions").at("/sessions/0");
            }
            assertEquals(
                    Set.of("workerPid"), without(documented.names("**session**"), fields(session)));
        } finally {
            client.close();
        }
    }

    @Test
    void unsupported() throws Exception {
        try (TestClient client = new TestClient(daemon.socket())) {
            client.post(new Unsupported("cuNoSuchCall".getBytes(StandardCharsets.US_ASCII)));
            long end = System.nanoTime() + 60_000_000_000L;
            JsonNode row = get("/api/v1/unsupported").at("/unsupported/0");
            while (row.isMissingNode() && System.nanoTime() - end < 0) {
                Thread.sleep(20);
                row = get("/api/v1/unsupported").at("/unsupported/0");
            }
            assertEquals(documented.names("**unsupported**"), fields(row));
            assertEquals("cuNoSuchCall", row.path("name").asText());
        }
    }

    private static Slice whole() {
        return Settings.NONE.slice("one", new Settings.Whole(1 << 20, 1));
    }

    @Test
    void liveAndHistory() throws Exception {
        JsonNode live = get("/api/v1/live");
        long end = System.nanoTime() + 60_000_000_000L;
        while (live.at("/slices/0/got").isMissingNode() && System.nanoTime() - end < 0) {
            Thread.sleep(50);
            live = get("/api/v1/live");
        }
        assertEquals(documented.names("**live**"), fields(live));
        assertEquals(
                documented.names("**live device**"),
                without(fields(live.at("/devices/0")), documented.names("**device**")));
        assertEquals(
                documented.names("**live slice**"),
                without(fields(live.at("/slices/0")), documented.names("**slice**")));
        assertEquals(documented.names("**status**"), fields(live.path("status")));
        JsonNode history = get("/api/v1/history?seconds=5");
        assertEquals(
                documented.names("**history**"),
                union(fields(history), Set.of("seconds", "step", "since")));
        assertEquals(
                documented.namesBehind("**history**", "devices"), fields(history.at("/devices/0")));
        assertEquals(
                documented.namesBehind("**history**", "slices"), fields(history.at("/slices/0")));
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }

    @Test
    void events() throws Exception {
        JsonNode events = get("/api/v1/events");
        assertEquals(documented.names("**events**"), fields(events));
        assertEquals("default", events.at("/events/0/slice").asText());
        assertEquals("slice-created", events.at("/events/0/kind").asText());
        assertEquals(1, events.path("lastEvent").asLong());
        assertEquals(
                documented.names("**event**"),
                fields(new Event(1, 2, Kind.FAULT, Who.session(3, "a", "b"), "c").row()));
        assertEquals(
                documented.names("**kinds of events**"),
                Arrays.stream(Kind.values())
                        .map(Kind::text)
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertEquals(0, get("/api/v1/events?since=1").path("events").size());
        assertTrue(get("/api/v1/events?limit=10001").path("error").asText().contains("limit"));
    }

    @Test
    void changes() throws Exception {
        Change change =
                new Change(
                        "a", Change.Action.CHANGED, List.of(new Change.Difference("k", "f", "t")));
        JsonNode row = MAPPER.readTree(Json.line(change.row()));
        assertEquals(Set.of("placement"), without(documented.names("**change**"), fields(row)));
        assertEquals(Set.of("key", "from", "to"), fields(row.at("/changes/0")));
    }

    @Test
    void linesOfTheLog() throws Exception {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        Log log =
                new Log(
                        new PrintStream(lines, true, StandardCharsets.UTF_8),
                        Log.Level.INFO,
                        Format.JSON);
        log.info("http", "x");
        log.say(Log.Level.INFO, Who.session(1, "a", "b"), "fault", "x");
        Set<String> all = new TreeSet<>();
        for (String each : lines.toString(StandardCharsets.UTF_8).lines().toList()) {
            all.addAll(fields(MAPPER.readTree(each)));
        }
        assertEquals(documented.names("**line of the log**"), all);
    }
}
