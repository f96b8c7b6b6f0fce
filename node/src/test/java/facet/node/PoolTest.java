package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Allocate;
import facet.abi.Constants;
import facet.abi.ContextSynchronize;
import facet.abi.Result;
import facet.doors.control.ControlException;
import facet.node.server.SliceServer;
import facet.node.server.TestClient;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.testkit.net.Proxy;
import facet.testkit.net.Road;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What daemons of a pool do for each other, on loopback. */
@Timeout(300)
class PoolTest extends PoolDaemons {
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
        String metrics = near.get("/metrics").body();
        for (String each : Files.readAllLines(Path.of("../docs/metrics.md"))) {
            if (each.startsWith("| `facet_pool_")) {
                String name = each.substring(3, each.indexOf('`', 3));
                assertTrue(metrics.contains(name + "{node=\"far\"}"), name);
            }
        }
        assertTrue(metrics.contains("device=\"far/0\""), metrics);
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
                assertThrows(ControlException.class, () -> near.daemon().keep("refused", settings));
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
                                .anyMatch(each -> Objects.equals(each.get("timeRest"), 40)),
                "what is promised there is known");
        await(
                () ->
                        second.daemon().elsewhere().stream()
                                .anyMatch(each -> Objects.equals(each.get("timeRest"), 70)),
                "and there");
        second.daemon().keep("there", settings(Setting.COMPUTE, "20"));
        assertEquals("third", slice(second, "there").get("node"));
        assertEquals(List.of(0), slice(second, "there").get("onDevices"));
        second.daemon().keep("both", settings(Setting.NODE, "third", Setting.DEVICES, "2"));
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
            await(() -> Objects.equals(nodes(near).getFirst().get("draining"), true), "it is told");
            assertRefused(near, "drains", Settings.NONE);
            assertThrows(ControlException.class, () -> far.daemon().keep("own", Settings.NONE));
            long _ = client.allocate(0, 4096);
        }
        await(() -> Objects.equals(far.daemon().pool().get("empty"), true), "it is empty");
        await(() -> far.daemon().events().counts().getOrDefault("node-empty", 0L) == 1, "said so");
        far.daemon().drainPool(false);
        await(() -> Objects.equals(nodes(near).getFirst().get("draining"), false), "it is told");
        near.daemon().keep("after", Settings.NONE);
    }

    @Test
    void aNodeThatWasStartedAnewIsBackAndSlicesAreMadeAgain() throws Exception {
        TestDaemon far = far();
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
        await(() -> Objects.equals(nodes(near).getFirst().get("connected"), false), "it is missed");
        IllegalStateException why =
                assertThrows(
                        IllegalStateException.class, () -> new TestClient(socket(near, "train")));
        assertTrue(String.valueOf(why.getMessage()).contains("cannot be reached"));
        TestDaemon again = daemon("far");
        await(() -> Objects.equals(nodes(near).getFirst().get("connected"), true), "it is back");
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
        assertThrows(
                ControlException.class,
                () -> far.daemon().change("near.train", settings(Setting.COMPUTE, "1")));
        await(
                () -> Objects.equals(slice(far, "near.train").get("sessions"), 0),
                "it has ended there");
        far.daemon().delete("near.train", false);
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
        near.daemon().joinPool(List.of(address(far)), other, Optional.of(OFF), Optional.of("near"));
        await(
                () ->
                        nodes(near).stream()
                                .anyMatch(each ->
                                        String.valueOf(each.get("state"))
                                                .contains("same pool token")),
                "it says why");
        assertEquals(List.of(), near.daemon().elsewhere());
    }

    @Test
    void memoryOfAProgramsOwnNodeThatItHasNotAllocatedIsFound() throws Exception {
        TestDaemon near = near(far());
        near.daemon().keep("train", settings(Setting.MEMORY, "64MiB"));
        try (TestClient honest = new TestClient(socket(near, "train"));
                TestClient greedy = new TestClient(socket(near, "train"))) {
            assertEquals(Result.SUCCESS, honest.createContext().result());
            assertEquals(Result.SUCCESS, greedy.createContext().result());
            honest.post(
                    new Allocate(
                            TestClient.BASE + (64L << 20), 128L << 20, Constants.MEMORY_PINNED));
            honest.memory().asSlice(64L << 20, 128L << 20).fill((byte) 1);
            assertEquals(Result.SUCCESS, honest.call(new ContextSynchronize()).result());
            greedy.memory().asSlice(64L << 20, 48L << 20).fill((byte) 1);
            assertTrue(greedy.connection.awaitReadable(TestClient.PATIENCE), "it is ended");
            assertTrue(greedy.connection.receive(64).isEmpty());
            assertEquals(Result.SUCCESS, honest.call(new ContextSynchronize()).result());
            assertTrue(
                    String.valueOf(slice(near, "train").get("lastFault"))
                            .contains("broke the protocol: it uses 48 MiB"),
                    String.valueOf(slice(near, "train")));
            // Nor can it have more of its machine by asking for it.
            honest.post(
                    new Allocate(
                            TestClient.BASE + (256L << 20), 257L << 20, Constants.MEMORY_STAGING));
            assertTrue(honest.connection.awaitReadable(TestClient.PATIENCE), "it is ended");
        }
    }

    @Test
    void aNodeThatSaysNothingIsLost() throws Exception {
        TestDaemon far = far();
        TestDaemon near = daemon("near", "--devices", "0");
        String listens = address(far);
        int port = Integer.parseInt(listens.substring(listens.lastIndexOf(':') + 1));
        try (Proxy proxy =
                Proxy.to(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        Road.PLAIN,
                        1)) {
            near.daemon()
                    .joinPool(
                            List.of("127.0.0.1:" + proxy.address().getPort()),
                            token(),
                            Optional.of("off"),
                            Optional.of("near"));
            await(() -> near.daemon().elsewhere().size() == 1, "it is known");
            near.daemon().keep("train", Settings.NONE);
            proxy.freeze(true);
            long begin = System.nanoTime();
            await(
                    () -> Objects.equals(nodes(near).getFirst().get("connected"), false),
                    "it is missed");
            await(
                    () -> near.daemon().events().counts().getOrDefault("node-lost", 0L) == 1,
                    "and that is said");
            System.out.println(
                    "a silent node was missed after "
                            + (System.nanoTime() - begin) / 1_000_000
                            + " ms");
            assertRefused(near, "that can be reached", settings(Setting.NODE, "far"));
            proxy.freeze(false);
            await(
                    () -> Objects.equals(nodes(near).getFirst().get("connected"), true),
                    "it is back");
            runProgram(socket(near, "train"));
        }
    }

    @Test
    void sixtyFourProgramsAtOnce() throws Exception {
        TestDaemon near = near(far());
        near.daemon().keep("train", Settings.NONE);
        try (ExecutorService threads = Executors.newFixedThreadPool(64)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                all.add(
                        threads.submit(() -> {
                            runProgram(socket(near, "train"));
                            return null;
                        }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        assertEquals(6400L, slice(near, "train").get("launches"));
        await(() -> Objects.equals(slice(near, "train").get("sessions"), 0), "all have ended");
    }
}
