package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Claim;
import facet.abi.Result;
import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.doors.events.Event;
import facet.doors.events.Kind;
import facet.node.server.Kernels;
import facet.node.server.TestClient;
import facet.slices.Setting;
import facet.slices.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slices that go to other devices of the node. */
@Timeout(300)
@SuppressWarnings("try") // closing may be interrupted
class MovingSlicesTest {
    private static final String[] TWO = {"--devices", "256M,128M"};
    private static final long MIB = 1 << 20;

    @TempDir Path folder;

    private static Settings settings(Object... pairs) {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        for (int i = 0; i < pairs.length; i += 2) {
            values.put((Setting) pairs[i], (String) pairs[i + 1]);
        }
        return new Settings(values);
    }

    private static String refusal(Executable action) {
        return String.valueOf(assertThrows(ControlException.class, action).getMessage());
    }

    private static Object of(Daemon daemon, String slice, String field) {
        return Objects.requireNonNull(
                daemon.slices().stream()
                        .filter(each -> slice.equals(each.get("name")))
                        .findFirst()
                        .orElseThrow()
                        .get(field));
    }

    private static List<?> on(Daemon daemon, String slice) {
        return (List<?>) of(daemon, slice, "onDevices");
    }

    private static Path socket(Daemon daemon, String slice) {
        return Path.of((String) of(daemon, slice, "socket"));
    }

    private static void work(Path socket) throws Exception {
        try (TestClient client = new TestClient(socket)) {
            client.createContext(0);
            client.load(0, Kernels.ADD);
            long memory = client.allocate(0, 4096);
            client.launch(0, 0, 1, 32, memory, 32, 5);
            assertEquals(Result.SUCCESS, client.synchronize(0));
        }
    }

    private static void awaitNobody(Daemon daemon, String slice) throws InterruptedException {
        while (!of(daemon, slice, "sessions").equals(0)) {
            Thread.sleep(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "process"})
    void quotaShareAndCountersGoAlong(String isolation) throws Exception {
        try (TestDaemon test =
                new TestDaemon(
                        folder, TWO[0], TWO[1], "--warm-workers", "0", "--isolation", isolation)) {
            Daemon daemon = test.daemon();
            daemon.keep("one", settings(Setting.DEVICE, "0", Setting.COMPUTE, "60"));
            Path socket = socket(daemon, "one");
            if (isolation.equals("shared")) {
                work(socket);
                awaitNobody(daemon, "one");
            }
            Object launches = of(daemon, "one", "launches");
            Change change = daemon.change("one", settings(Setting.DEVICE, "1"));
            assertEquals(Change.Action.CHANGED, change.action());
            assertEquals("memory 256MiB -> 128MiB, device 0 -> 1", change.words());
            assertEquals(Optional.of("as it was asked for"), change.placement());
            assertEquals(List.of(1), on(daemon, "one"));
            assertEquals(socket, socket(daemon, "one"));
            assertEquals(launches, of(daemon, "one", "launches"));
            Event told = daemon.events().since(0, 1000).getLast();
            assertEquals(Kind.SLICE_CHANGED, told.kind());
            assertTrue(told.text().contains("device 0 -> 1"), told.text());
            // What it was promised of the first device is free, of the other one it is not.
            daemon.keep("first", settings(Setting.DEVICE, "0", Setting.COMPUTE, "90"));
            String full =
                    refusal(() ->
                            daemon.keep(
                                    "more", settings(Setting.DEVICE, "1", Setting.COMPUTE, "50")));
            assertTrue(full.contains("110% of device 1 would be promised: one 60%"), full);
            String back = refusal(() -> daemon.change("one", settings(Setting.DEVICE, "0")));
            assertTrue(back.contains("150% of device 0 would be promised"), back);
            assertEquals(List.of(1), on(daemon, "one"));
            if (isolation.equals("shared")) {
                try (TestClient client = new TestClient(socket)) {
                    client.createContext(0);
                    assertEquals(128 * MIB, client.limit());
                    assertEquals(
                            Result.ERROR_OUT_OF_MEMORY, client.call(new Claim(129 * MIB)).result());
                    client.allocate(0, MIB);
                    client.synchronize(0);
                    assertEquals(
                            List.of(0L, MIB),
                            daemon.devices().stream().map(each -> each.get("used")).toList());
                }
            }
        }
    }

    @Test
    void aSliceThatIsUsedStaysUntilItIsNot() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            daemon.keep("one", settings(Setting.DEVICE, "0", Setting.MEMORY, "16MiB"));
            try (TestClient client = new TestClient(socket(daemon, "one"))) {
                client.createContext(0);
                String used = refusal(() -> daemon.change("one", settings(Setting.DEVICE, "1")));
                assertEquals(
                        "slice 'one' has device 0 and would get device 1; that cannot change while"
                                + " programs use it: 'facet ps' lists them, end them first",
                        used);
                String two = refusal(() -> daemon.change("one", settings(Setting.DEVICES, "2")));
                assertTrue(two.contains("has device 0 and would get 2 devices"), two);
                assertEquals(List.of(0), on(daemon, "one"));
                // The program has not noticed.
                client.allocate(0, MIB);
                assertEquals(Result.SUCCESS, client.synchronize(0));
            }
            awaitNobody(daemon, "one");
            daemon.change("one", settings(Setting.DEVICES, "2"));
            assertEquals(List.of(0, 1), on(daemon, "one"));
            work(socket(daemon, "one"));
        }
    }

    @Test
    void whatDoesNotFitIsRefusedAndTold() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            daemon.keep("large", settings(Setting.MEMORY, "200MiB"));
            assertEquals(
                    "slice 'large' with 200MiB of memory fits on none of the devices that it"
                            + " names: device 1 has 128MiB",
                    refusal(() -> daemon.change("large", settings(Setting.DEVICE, "1"))));
            String none = refusal(() -> daemon.change("large", settings(Setting.DEVICE, "2")));
            assertTrue(none.contains("there are devices 0 to 1"), none);
            // With less it does.
            daemon.change("large", settings(Setting.DEVICE, "1", Setting.MEMORY, "100MiB"));
            assertEquals(List.of(1), on(daemon, "large"));
            assertEquals(100 * MIB, of(daemon, "large", "memory"));
        }
    }

    private static String document(String first, String second) {
        return "slices:\n- name: a\n  device: \"%s\"\n  compute: 60\n- name: b\n  device: \"%s\"\n  compute: 60\n"
                .formatted(first, second);
    }

    @Test
    void aFileLetsTwoChangePlaces() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            daemon.apply(document("0", "1"), false, false, false);
            List<Change> planned = daemon.apply(document("1", "0"), false, false, true);
            assertTrue(planned.getFirst().words().contains("device 0 -> 1"), planned.toString());
            assertEquals(List.of(0), on(daemon, "a"), "a dry run has moved it");
            daemon.apply(document("1", "0"), false, false, false);
            assertEquals(List.of(1), on(daemon, "a"));
            assertEquals(List.of(0), on(daemon, "b"));
            String both = refusal(() -> daemon.apply(document("0", "0"), false, false, false));
            assertTrue(both.contains("120% of device 0"), both);
        }
        // And so they are with the next daemon.
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            assertEquals(List.of(1), on(test.daemon(), "a"));
            assertEquals(List.of(0), on(test.daemon(), "b"));
        }
    }

    @Test
    void theDefaultSliceMovesAndComesBack() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            daemon.change("default", settings(Setting.DEVICE, "1"));
            assertEquals(List.of(1), on(daemon, "default"));
            work(test.socket());
            awaitNobody(daemon, "default");
            daemon.apply("slices: []\n", true, false, false);
            assertEquals(List.of(0, 1), on(daemon, "default"));
            work(test.socket());
        }
    }

    @Test
    void whatCannotBeKeptIsTakenBack() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            daemon.keep("one", settings(Setting.DEVICE, "0", Setting.MEMORY, "16MiB"));
            // A folder where the next file should be.
            Path state = folder.resolve("state");
            Files.delete(state.resolve("slices.yaml"));
            Files.createDirectories(state.resolve("slices.yaml/in the way"));
            String why = refusal(() -> daemon.change("one", settings(Setting.DEVICE, "1")));
            assertTrue(why.startsWith("nothing was changed, since it cannot be kept"), why);
            assertEquals(List.of(0), on(daemon, "one"));
            work(socket(daemon, "one"));
        }
    }

    @Test
    void deviceTimeIsCountedOnce() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            daemon.keep("one", settings(Setting.DEVICE, "0", Setting.MEMORY, "16MiB"));
            long before = 0;
            for (String device : List.of("1", "0", "1")) {
                work(socket(daemon, "one"));
                awaitNobody(daemon, "one");
                long nanos = (Long) of(daemon, "one", "deviceNanos");
                assertTrue(nanos > before, nanos + " is no more than " + before);
                daemon.change("one", settings(Setting.DEVICE, device));
                assertEquals(nanos, of(daemon, "one", "deviceNanos"));
                assertEquals(
                        nanos,
                        daemon.devices().stream()
                                .mapToLong(each -> (Long) each.get("deviceNanos"))
                                .sum());
                before = nanos;
            }
            assertEquals(3L, of(daemon, "one", "launches"));
        }
    }

    /** Each of them gets a session, on the devices before or after. */
    @Test
    void clientsThatComeMeanwhileAreServed() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            daemon.keep("one", settings(Setting.DEVICE, "0", Setting.MEMORY, "16MiB"));
            Path socket = socket(daemon, "one");
            CountDownLatch over = new CountDownLatch(1);
            FutureTask<Integer> clients =
                    new FutureTask<>(() -> {
                        int served = 0;
                        while (over.getCount() > 0) {
                            try (TestClient client = new TestClient(socket)) {
                                client.createContext(0);
                                served++;
                            }
                            // So that there are moments without anybody.
                            awaitNobody(daemon, "one");
                            Thread.sleep(2);
                        }
                        return served;
                    });
            Thread.ofPlatform().start(clients);
            // With one device and with two: who looks on sees one or the other.
            FutureTask<Integer> watches =
                    new FutureTask<>(() -> {
                        int looks = 0;
                        for (; over.getCount() > 0; looks++) {
                            daemon.figures();
                            daemon.live();
                            int count = (Integer) of(daemon, "one", "devices");
                            assertTrue(count == 1 || count == 2);
                        }
                        return looks;
                    });
            Thread.ofPlatform().start(watches);
            int moves = 0;
            for (int i = 0; moves < 20; i++) {
                String device = i % 2 == 0 ? "1" : "0,1";
                try {
                    moves +=
                            daemon.change("one", settings(Setting.DEVICE, device)).action()
                                            == Change.Action.CHANGED
                                    ? 1
                                    : 0;
                } catch (ControlException e) {
                    assertTrue(
                            String.valueOf(e.getMessage()).contains("programs use it"),
                            e.getMessage());
                }
            }
            over.countDown();
            assertTrue(clients.get() > 0, "nobody came");
            assertTrue(watches.get() > 0, "nobody looked");
            awaitNobody(daemon, "one");
            assertEquals(
                    0, daemon.devices().stream().mapToLong(each -> (Long) each.get("used")).sum());
        }
    }

    @Test
    void theSliceOfAContainerKeepsItsFolder() throws Exception {
        String config = "{\"process\":{\"env\":[\"FACET_MEMORY=16MiB\"]}}";
        String name;
        Path socket;
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            int pid = (int) ProcessHandle.current().pid();
            name =
                    daemon.startContainer("box", pid, config, Optional.empty())
                            .orElseThrow()
                            .slice()
                            .name();
            assertEquals(List.of(0), on(daemon, name));
            socket = socket(daemon, name);
            Object folderBefore = Files.getAttribute(socket.getParent(), "unix:ino");
            Change change = daemon.change(name, settings(Setting.DEVICE, "1"));
            assertEquals("device 0 -> 1", change.words());
            assertEquals(List.of(1), on(daemon, name));
            assertEquals(folderBefore, Files.getAttribute(socket.getParent(), "unix:ino"));
            assertEquals(socket, socket(daemon, name));
        }
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            assertEquals(List.of(1), on(test.daemon(), name));
            assertEquals(socket, socket(test.daemon(), name));
            assertTrue(test.daemon().endContainer("box"));
        }
    }

    @Test
    void overHttpToo() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO);
                HttpClient client = HttpClient.newHttpClient()) {
            Daemon daemon = test.daemon();
            daemon.keep("one", settings(Setting.DEVICE, "0", Setting.MEMORY, "16MiB"));
            HttpResponse<String> answer = patch(client, test, "{\"device\":\"1\"}");
            assertEquals(200, answer.statusCode(), answer.body());
            assertTrue(
                    answer.body().contains("{\"key\":\"device\",\"from\":\"0\",\"to\":\"1\"}"),
                    answer.body());
            assertEquals(List.of(1), on(daemon, "one"));
            try (TestClient program = new TestClient(socket(daemon, "one"))) {
                program.createContext(0);
                HttpResponse<String> refused = patch(client, test, "{\"device\":\"0\"}");
                assertEquals(409, refused.statusCode(), refused.body());
                assertTrue(refused.body().contains("facet ps"), refused.body());
            }
        }
    }

    private HttpResponse<String> patch(HttpClient client, TestDaemon test, String body)
            throws IOException, InterruptedException {
        String token = Files.readString(folder.resolve("state/http-token")).strip();
        return client.send(
                HttpRequest.newBuilder(URI.create(test.url() + "/api/v1/slices/one"))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .method("PATCH", HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
