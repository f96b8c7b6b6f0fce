package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.ContextSynchronize;
import facet.abi.Result;
import facet.doors.control.ControlException;
import facet.node.server.Kernels;
import facet.node.server.SliceServer;
import facet.node.server.TestClient;
import facet.slices.Setting;
import facet.slices.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Daemons that form a pool on loopback. */
@Timeout(300)
class PoolTest {
    private static final Optional<String> ANYWHERE = Optional.of("127.0.0.1:0");
    private static final String OFF = "off";

    @TempDir private Path folder = Path.of("/nowhere");

    private final List<TestDaemon> daemons = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (TestDaemon each : daemons.reversed()) {
            each.close();
        }
    }

    private TestDaemon daemon(String name, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--isolation", "shared"));
        arguments.addAll(List.of(more));
        TestDaemon daemon =
                new TestDaemon(folder.resolve(name), arguments.toArray(String[]::new));
        daemons.add(daemon);
        return daemon;
    }

    /** A node with a device that has made a pool. */
    private TestDaemon far(String... more) throws Exception {
        TestDaemon far = daemon("far", more);
        Map<String, Object> made = far.daemon().makePool(ANYWHERE, Optional.of("far"));
        Path token = Path.of(String.valueOf(made.get("tokenFile")));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(token)));
        return far;
    }

    private String token() throws Exception {
        return Files.readString(folder.resolve("far/state/pool-token")).strip();
    }

    private static String address(TestDaemon daemon) {
        return String.valueOf(daemon.daemon().pool().get("listens"));
    }

    private TestDaemon join(TestDaemon daemon, String name, TestDaemon seed, String listen)
            throws Exception {
        daemon.daemon()
                .joinPool(
                        List.of(address(seed)),
                        token(),
                        Optional.of(listen),
                        Optional.of(name));
        return daemon;
    }

    /** A node without a device, in the pool of another one. */
    private TestDaemon near(TestDaemon far) throws Exception {
        TestDaemon near = join(daemon("near", "--devices", "0"), "near", far, OFF);
        await(() -> near.daemon().elsewhere().size() == 1, "the other's device is known");
        return near;
    }

    private static void await(Callable<Boolean> condition, String what) throws Exception {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, what);
            Thread.sleep(10);
        }
    }

    private static Settings settings(Object... pairs) {
        Map<Setting, String> values = new java.util.EnumMap<>(Setting.class);
        for (int i = 0; i < pairs.length; i += 2) {
            values.put((Setting) pairs[i], String.valueOf(pairs[i + 1]));
        }
        return new Settings(values);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> nodes(TestDaemon daemon) {
        return (List<Map<String, Object>>)
                daemon.daemon().pool().getOrDefault("nodes", List.of());
    }

    private static Map<String, Object> slice(TestDaemon daemon, String name) {
        return daemon.daemon().slices().stream()
                .filter(each -> each.get("name").equals(name))
                .findFirst()
                .orElse(Map.of());
    }

    private static Path socket(TestDaemon daemon, String slice) {
        return Path.of(String.valueOf(slice(daemon, slice).get("socket")));
    }

    private static void runProgram(Path socket) throws Exception {
        try (TestClient client = new TestClient(socket)) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            long cells = client.allocate(4096, 4096);
            assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
            client.set(4096, 5);
            for (int i = 0; i < 100; i++) {
                client.launch(0, 0, 4, 256, cells, 1000, 3);
            }
            assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
            assertEquals(305, client.get(4096));
        }
    }

    @Test
    void aNodeWithoutADeviceUsesAnothers() throws Exception {
        TestDaemon far = far();
        TestDaemon near = near(far);
        near.daemon().keep("train", settings(Setting.MEMORY, "64MiB", Setting.COMPUTE, "30"));
        assertEquals("far", slice(near, "train").get("node"));
        assertEquals(List.of(0), slice(near, "train").get("onDevices"));
        Map<String, Object> lent = slice(far, "near.train");
        assertEquals(64L << 20, lent.get("memory"));
        assertEquals(30, lent.get("compute"));
        assertEquals("near", lent.get("forNode"));
        runProgram(socket(near, "train"));
        assertEquals(100L, slice(near, "train").get("launches"));
        assertTrue(
                String.valueOf(near.daemon().explain("train").get("placed"))
                        .contains("node far, device 0"),
                String.valueOf(near.daemon().explain("train")));
        // Its device as programs see it is the other's.
        near.daemon().change("train", settings(Setting.MEMORY, "32MiB", Setting.COMPUTE, "40"));
        assertEquals(32L << 20, slice(far, "near.train").get("memory"));
        assertEquals(40, slice(far, "near.train").get("compute"));
        near.daemon().delete("train", false);
        await(() -> slice(far, "near.train").isEmpty(), "the slice is gone there too");
    }

    @Test
    void theDefaultSliceOfANodeWithoutADeviceIsElsewhere() throws Exception {
        TestDaemon near = near(far());
        await(() -> Files.exists(near.socket()), "the default slice is open");
        assertEquals("far", slice(near, "default").get("node"));
        runProgram(near.socket());
    }

    @Test
    void whatTheOtherNodeDoesNotGiveIsRefusedInItsWords() throws Exception {
        TestDaemon far = far("--pool-most", "memory=64MiB,compute=50");
        TestDaemon near = near(far);
        assertRefused(near, "gives 64MiB", settings(Setting.MEMORY, "65MiB"));
        assertRefused(near, "50% at most", settings(Setting.COMPUTE, "60"));
        assertRefused(near, "no node 'else'", settings(Setting.NODE, "else"));
        assertRefused(near, "not H100", settings(Setting.MODEL, "H100"));
        near.daemon().keep("all", settings(Setting.MODEL, "software"));
        assertEquals(64L << 20, slice(near, "all").get("memory"));
        far.daemon().keep("own", settings(Setting.COMPUTE, "80"));
        assertThrows(
                ControlException.class,
                () -> near.daemon().change("all", settings(Setting.COMPUTE, "30")));
        assertEquals(0, slice(near, "all").get("compute"));
    }

    private static void assertRefused(TestDaemon near, String words, Settings settings) {
        ControlException why =
                assertThrows(
                        ControlException.class, () -> near.daemon().keep("refused", settings));
        assertTrue(String.valueOf(why.getMessage()).contains(words), why.getMessage());
        assertTrue(slice(near, "refused").isEmpty());
    }

    @Test
    void threeNodesKnowEachOtherFromOneSeed() throws Exception {
        TestDaemon far = far();
        TestDaemon second = join(daemon("second"), "second", far, "127.0.0.1:0");
        TestDaemon third = join(daemon("third", "--devices", "2"), "third", far, "127.0.0.1:0");
        await(() -> second.daemon().elsewhere().size() == 3, "second knows all");
        await(() -> third.daemon().elsewhere().size() == 2, "third knows all");
        await(() -> far.daemon().elsewhere().size() == 3, "far knows all");
        // One's own device comes first, then the one with least promised.
        second.daemon().keep("here", settings(Setting.COMPUTE, "90"));
        assertFalse(slice(second, "here").containsKey("node"));
        third.daemon().keep("busy", settings(Setting.COMPUTE, "20", Setting.DEVICE, "0"));
        third.daemon().keep("more", settings(Setting.COMPUTE, "30", Setting.DEVICE, "1"));
        far.daemon().keep("most", settings(Setting.COMPUTE, "60"));
        await(
                () ->
                        second.daemon().elsewhere().stream()
                                .anyMatch(each -> each.get("timeRest").equals(40)),
                "what is promised there is known");
        await(
                () ->
                        second.daemon().elsewhere().stream()
                                .anyMatch(each -> each.get("timeRest").equals(70)),
                "and there");
        second.daemon().keep("there", settings(Setting.COMPUTE, "20"));
        assertEquals("third", slice(second, "there").get("node"));
        assertEquals(List.of(0), slice(second, "there").get("onDevices"));
        second.daemon()
                .keep("both", settings(Setting.NODE, "third", Setting.DEVICES, "2"));
        assertEquals(List.of(0, 1), slice(second, "both").get("onDevices"));
        runProgram(socket(second, "both"));
        second.daemon().keep("named", settings(Setting.NODE, "far"));
        assertEquals("far", slice(second, "named").get("node"));
        second.daemon().keep("nearest", settings(Setting.NODE, "nearest", Setting.COMPUTE, "5"));
        assertFalse(slice(second, "nearest").containsKey("node"));
        // It moves while nobody uses it.
        second.daemon().change("named", settings(Setting.NODE, "third", Setting.DEVICE, "1"));
        assertEquals("third", slice(second, "named").get("node"));
        await(() -> slice(far, "second.named").isEmpty(), "it has left the first node");
        runProgram(socket(second, "named"));
    }

    @Test
    void aNodeThatDrainsTakesNoNewSlices() throws Exception {
        TestDaemon far = far();
        TestDaemon near = near(far);
        near.daemon().keep("before", Settings.NONE);
        try (TestClient client = new TestClient(socket(near, "before"))) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            Map<String, Object> status = far.daemon().drainPool(true);
            assertEquals(false, status.get("empty"));
            await(() -> nodes(near).getFirst().get("draining").equals(true), "it is told");
            assertRefused(near, "drains", Settings.NONE);
            assertThrows(
                    ControlException.class, () -> far.daemon().keep("own", Settings.NONE));
            long _ = client.allocate(0, 4096);
        }
        await(() -> far.daemon().pool().get("empty").equals(true), "it is empty");
        await(() -> far.daemon().events().counts().getOrDefault("node-empty", 0L) == 1, "said so");
        far.daemon().drainPool(false);
        await(() -> nodes(near).getFirst().get("draining").equals(false), "it is told");
        near.daemon().keep("after", Settings.NONE);
    }

    @Test
    void aNodeThatWasStartedAnewIsBackAndSlicesAreMadeAgain() throws Exception {
        TestDaemon far = daemon("far");
        String port = "127.0.0.1:" + freePort();
        far.daemon().makePool(Optional.of(port), Optional.of("far"));
        TestDaemon near = near(far);
        near.daemon().keep("train", settings(Setting.MEMORY, "64MiB"));
        runProgram(socket(near, "train"));
        TestClient client = new TestClient(socket(near, "train"));
        assertEquals(Result.SUCCESS, client.createContext().result());
        far.close();
        daemons.remove(far);
        assertTrue(client.connection.awaitReadable(TestClient.PATIENCE), "it is told");
        assertTrue(client.connection.receive(64).isEmpty(), "its session is over");
        client.close();
        await(() -> nodes(near).getFirst().get("connected").equals(false), "it is missed");
        assertTrue(
                assertThrows(
                                IllegalStateException.class,
                                () -> new TestClient(socket(near, "train")))
                        .getMessage()
                        .contains("cannot be reached"));
        TestDaemon again = daemon("far");
        await(() -> nodes(near).getFirst().get("connected").equals(true), "it is back");
        runProgram(socket(near, "train"));
        assertEquals("near", slice(again, "near.train").get("forNode"));
        // And the other one.
        near.close();
        daemons.remove(near);
        await(() -> slice(again, "near.train").isEmpty(), "what it had is gone");
        TestDaemon back = daemon("near", "--devices", "0");
        await(() -> !slice(back, "train").isEmpty(), "its slice is back");
        runProgram(socket(back, "train"));
        assertEquals(64L << 20, slice(again, "near.train").get("memory"));
    }

    private static int freePort() throws Exception {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void whoLeavesIsGone() throws Exception {
        TestDaemon far = far();
        TestDaemon near = near(far);
        near.daemon().keep("train", Settings.NONE);
        assertThrows(ControlException.class, () -> near.daemon().leavePool(false));
        near.daemon().leavePool(true);
        await(() -> slice(far, "near.train").isEmpty(), "what it had is gone");
        assertEquals(false, near.daemon().pool().get("joined"));
        assertThrows(ControlException.class, () -> near.daemon().leavePool(false));
        assertFalse(Files.exists(folder.resolve("near/state/pool-token")));
    }

    @Test
    void slicesThatAnAdministratorDeletesThereAreMadeAgain() throws Exception {
        TestDaemon far = far();
        TestDaemon near = near(far);
        near.daemon().keep("train", Settings.NONE);
        runProgram(socket(near, "train"));
        far.daemon().remove("near.train");
        await(() -> slice(far, "near.train").isEmpty(), "it is gone");
        Thread.sleep(300); // its node is told within a tick
        runProgram(socket(near, "train"));
    }

    @Test
    void aSliceIsItsMakers() throws Exception {
        TestDaemon far = far();
        TestDaemon near = near(far);
        far.daemon().keep("own", Settings.NONE);
        SliceServer made =
                near.daemon().create(Settings.NONE.slice("x", near.daemon().whole()), "root");
        assertEquals("far", made.slice().devices().site().node());
        runProgram(made.socket());
        near.daemon().remove("x");
        await(() -> slice(far, "near.x").isEmpty(), "it goes with its program");
    }

    @Test
    void wrongTokensAndNamesAreRefused() throws Exception {
        TestDaemon far = far();
        TestDaemon near = daemon("near", "--devices", "0");
        assertThrows(
                ControlException.class,
                () ->
                        near.daemon()
                                .joinPool(
                                        List.of(address(far)),
                                        "facet-pool-1-AAAA",
                                        Optional.of(OFF),
                                        Optional.empty()));
        assertThrows(
                ControlException.class,
                () ->
                        near.daemon()
                                .joinPool(
                                        List.of(address(far)),
                                        token(),
                                        Optional.of(OFF),
                                        Optional.of("nearest")));
        String other = facet.pool.identity.PoolToken.generate().text();
        near.daemon()
                .joinPool(List.of(address(far)), other, Optional.of(OFF), Optional.of("near"));
        await(
                () ->
                        nodes(near).stream()
                                .anyMatch(each ->
                                        String.valueOf(each.get("state"))
                                                .contains("same pool token")),
                "it says why");
        assertEquals(List.of(), near.daemon().elsewhere());
    }
}
