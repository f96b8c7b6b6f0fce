package facet.node.worker;

import static facet.node.server.Patience.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.node.server.SliceServer;
import facet.node.server.TestClient;
import facet.node.server.TestNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of workers. */
@Timeout(180)
class WorkerPoolTest {
    private static boolean lives(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    @Test
    void oneIsWarmBeforeItIsNeededAndAnotherOneAfterwards() throws Exception {
        try (TestNode node = new TestNode(true)) {
            node.workers().keepWarm();
            assertEquals(0, node.workers().warm(), "no slice needs one");
            SliceServer slice = node.slice("one");
            await(() -> node.workers().warm() == 1, "none is warm");
            Set<Long> before = new HashSet<>(children());
            try (TestClient _ = TestClient.withContext(slice)) {
                assertTrue(before.contains(TestNode.worker(slice)), "the warm one was not taken");
                assertTrue(slice.process().orElseThrow().memory() > 1 << 20);
                await(() -> node.workers().warm() == 1, "it is not replaced");
            }
            slice.close();
            await(() -> children().isEmpty(), "a worker stays though no slice needs one");
        }
    }

    private static List<Long> children() {
        return ProcessHandle.current().children().map(ProcessHandle::pid).toList();
    }

    @Test
    void anIdleWorkerEndsAndTheNextSessionHasAnother() throws Exception {
        try (TestNode node = new TestNode(Duration.ofMillis(50))) {
            SliceServer slice = node.slice("one");
            long first;
            try (TestClient _ = TestClient.withContext(slice);
                    TestClient second = TestClient.withContext(slice)) {
                first = TestNode.worker(slice);
                second.connection.close();
                await(() -> slice.sessions().size() == 1, "the second has not ended");
                Thread.sleep(200);
                assertTrue(lives(first), "it has a session");
            }
            await(() -> !lives(first), "it stays");
            assertTrue(slice.process().isEmpty());
            assertFalse(node.log().contains("died"), node.log());
            try (TestClient _ = TestClient.withContext(slice)) {
                assertTrue(TestNode.worker(slice) != first);
            }
        }
    }

    /** Whoever comes while one starts waits for it, and nobody else does. */
    @Test
    void sessionsThatComeTogetherShareOneWorker() throws Exception {
        try (TestNode node = new TestNode(true);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            SliceServer one = node.slice("one");
            SliceServer two = node.slice("two");
            List<Future<TestClient>> clients = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                SliceServer slice = i % 3 == 0 ? two : one;
                clients.add(threads.submit(() -> TestClient.withContext(slice)));
            }
            for (Future<TestClient> each : clients) {
                each.get();
            }
            assertEquals(2, children().size());
            assertEquals(4, one.sessions().size());
            for (Future<TestClient> each : clients) {
                each.get().close();
            }
        }
    }

    @Test
    void aWorkerThatDiesTimeAndAgainIsNotStartedTimeAndAgain() throws Exception {
        try (TestNode node = new TestNode(true)) {
            SliceServer slice = node.slice("one");
            for (int i = 0; i < CrashLoop.MOST; i++) {
                try (TestClient client = TestClient.withContext(slice)) {
                    assertTrue(
                            ProcessHandle.of(TestNode.worker(slice))
                                    .orElseThrow()
                                    .destroyForcibly());
                    assertTrue(client.isEnded());
                }
                await(() -> slice.sessions().isEmpty(), "its session stays");
            }
            IllegalStateException refused =
                    assertThrows(IllegalStateException.class, () -> new TestClient(slice.socket()));
            assertTrue(refused.toString().contains("died 5 times"), refused.toString());
            try (TestClient other = TestClient.withContext(node.slice("two"))) {
                assertTrue(other.session > 0);
            }
        }
    }

    @Test
    void aWorkerThatCannotBeStartedIsARefusalWithItsReason() throws Exception {
        try (TestNode node =
                new TestNode(() -> {
                    throw new IOException("there is no java");
                })) {
            SliceServer slice = node.slice("one");
            IllegalStateException refused =
                    assertThrows(IllegalStateException.class, () -> new TestClient(slice.socket()));
            assertTrue(refused.toString().contains("there is no java"), refused.toString());
            assertEquals(0, slice.sessions().size());
        }
    }
}
