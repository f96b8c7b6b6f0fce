package facet.node.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.ContextDestroy;
import facet.abi.HostFunction;
import facet.abi.Result;
import facet.node.server.Kernels;
import facet.node.server.Patience;
import facet.node.server.SliceServer;
import facet.node.server.TestClient;
import facet.node.server.TestNode;
import facet.node.server.TestNode.Wall;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions in a process of their own. */
@Timeout(300)
class WorkerProcessTest {
    private static void awaitSessions(SliceServer slice, int count) throws InterruptedException {
        Patience.await(() -> slice.sessions().size() == count, "sessions: " + slice.sessions());
    }

    private static void compute(TestClient client, int expected) throws Exception {
        client.launch(0, 0, 4, 256, TestClient.BASE, 1000, 1);
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(expected, client.get(4 * 999));
    }

    private static TestClient ready(SliceServer slice) throws Exception {
        TestClient client = TestClient.withContext(slice);
        client.allocate(0, 4096);
        assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
        return client;
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "CONFINED"})
    void sessionsRunInTheWorker(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall)) {
            SliceServer slice = node.slice("one");
            try (TestClient first = ready(slice);
                    TestClient second = ready(slice)) {
                for (int i = 1; i <= 10; i++) {
                    compute(first, i);
                    compute(second, i);
                }
                assertEquals(8192, first.taken());
                slice.ask().await(System.nanoTime() + TestClient.PATIENCE.toNanos());
                assertEquals(8192, slice.memoryUsed());
                assertEquals(20, slice.launches());
                assertTrue(slice.deviceNanos() > 0);
                assertEquals(Result.SUCCESS, first.call(new ContextDestroy()).result());
            }
            awaitSessions(slice, 0);
            assertEquals(20, slice.launches());
            // The worker is still there: the second time is quick.
            try (TestClient third = ready(slice)) {
                compute(third, 1);
                assertEquals(4096, third.taken());
                // Nothing may hold back its end.
                third.load(1, Kernels.SPIN);
                third.launchOf(1, 0, 0, 1, 1, TestClient.BASE + 4092);
                third.post(new HostFunction(1, 0));
                third.connection.close();
                awaitSessions(slice, 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "CONFINED"})
    void theDeathOfAWorkerEndsItsSessionsAndNoOthers(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall)) {
            SliceServer one = node.slice("one");
            SliceServer two = node.slice("two");
            try (TestClient victim = ready(one);
                    TestClient other = ready(two)) {
                compute(victim, 1);
                compute(other, 1);
                List<ProcessHandle> workers = ProcessHandle.current().children().toList();
                long before = workers.size();
                ProcessHandle oldest =
                        workers.stream()
                                .min((a, b) -> Long.compare(a.pid(), b.pid()))
                                .orElseThrow();
                assertTrue(oldest.destroyForcibly());
                assertTrue(victim.isEnded());
                awaitSessions(one, 0);
                assertTrue(node.log().contains("died with 1 sessions"), node.log());
                compute(other, 2);
                try (TestClient again = ready(one)) {
                    compute(again, 1);
                    assertEquals(4096, again.taken(), "what the dead session had is free");
                    assertNotEquals(victim.session, again.session);
                }
                assertEquals(before, ProcessHandle.current().children().count());
            }
        }
        assertEquals(0, ProcessHandle.current().children().count(), "workers are left behind");
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "CONFINED"})
    void aViolationEndsOneSessionOfTheWorker(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall)) {
            SliceServer slice = node.slice("one");
            try (TestClient bad = ready(slice);
                    TestClient good = ready(slice)) {
                bad.allocate(0, 4096);
                assertTrue(bad.isEnded());
                awaitSessions(slice, 1);
                compute(good, 1);
            }
        }
    }
}
