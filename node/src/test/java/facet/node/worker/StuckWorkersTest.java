package facet.node.worker;

import static facet.node.server.Patience.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Result;
import facet.node.server.HostPlace;
import facet.node.server.SliceServer;
import facet.node.server.TestClient;
import facet.node.server.TestNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that hang: these are stopped by a signal, which looks the same from outside. */
@Timeout(180)
class StuckWorkersTest {
    private static void signal(String name, long pid) throws IOException, InterruptedException {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor());
    }

    /** What is left of the time that was given to all of them, when all of them were waited for. */
    @Test
    void allAreAskedAtOnceAndWaitedForTogether() throws Exception {
        try (TestNode node = new TestNode(true)) {
            List<SliceServer> slices = new ArrayList<>();
            List<TestClient> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                slices.add(node.slice("slice" + i));
                clients.add(TestClient.withContext(slices.get(i)));
            }
            for (SliceServer each : slices.subList(1, 4)) {
                signal("STOP", TestNode.worker(each));
            }
            clients.getFirst().allocate(0, 4096);
            assertEquals(Result.SUCCESS, clients.getFirst().synchronize(0));
            long until = System.nanoTime() + Duration.ofMillis(300).toNanos();
            List<HostPlace.Asked> asked = slices.stream().map(SliceServer::ask).toList();
            asked.getFirst().await(System.nanoTime() + TestClient.PATIENCE.toNanos());
            assertEquals(4096, slices.getFirst().memoryUsed(), "one that answers is heard");
            asked.forEach(each -> each.await(until));
            // However often they are asked, they are told once; then they answer all.
            for (int i = 0; i < 10_000; i++) {
                HostPlace.Asked _ = slices.get(1).ask();
            }
            for (SliceServer each : slices.subList(1, 4)) {
                signal("CONT", TestNode.worker(each));
            }
            for (TestClient each : clients.subList(1, 4)) {
                each.allocate(0, 8192);
                assertEquals(Result.SUCCESS, each.synchronize(0));
            }
            for (SliceServer each : slices.subList(1, 4)) {
                each.ask().await(System.nanoTime() + TestClient.PATIENCE.toNanos());
                assertEquals(8192, each.memoryUsed());
            }
            for (TestClient each : clients) {
                each.close();
            }
        }
    }

    @Test
    void aSessionThatDoesNotEndCostsItsWorkerAndNobodyElse() throws Exception {
        try (TestNode node = new TestNode(true)) {
            SliceServer one = node.slice("one");
            SliceServer two = node.slice("two");
            try (TestClient left = TestClient.withContext(one);
                    TestClient beside = TestClient.withContext(one);
                    TestClient other = TestClient.withContext(two)) {
                long stuck = TestNode.worker(one);
                signal("STOP", stuck);
                left.connection.close();
                await(() -> one.sessions().isEmpty(), "its session stays");
                assertTrue(node.log().contains("does not end; its worker is killed"), node.log());
                assertTrue(beside.isEnded(), "it was in the same process");
                other.allocate(0, 4096);
                assertEquals(Result.SUCCESS, other.synchronize(0));
                try (TestClient next = TestClient.withContext(one)) {
                    assertNotEquals(stuck, TestNode.worker(one));
                    assertEquals(0, next.taken());
                }
            }
        }
    }

    /** As long as nobody of it wants to end, a worker may take its time. */
    @Test
    void aWorkerThatIsSlowIsLeftAlone() throws Exception {
        try (TestNode node = new TestNode(true)) {
            SliceServer slice = node.slice("one");
            try (TestClient client = TestClient.withContext(slice)) {
                signal("STOP", TestNode.worker(slice));
                Thread.sleep(2 * EndingSessions.STOP.toMillis());
                signal("CONT", TestNode.worker(slice));
                client.allocate(0, 4096);
                assertEquals(Result.SUCCESS, client.synchronize(0));
            }
            await(() -> slice.sessions().isEmpty(), "its session stays");
            assertFalse(node.log().contains("is killed"), node.log());
        }
    }

    @Test
    void aSliceEndsThoughItsWorkerHangs() throws Exception {
        try (TestNode node = new TestNode(true)) {
            SliceServer slice = node.slice("one");
            try (TestClient client = TestClient.withContext(slice)) {
                long worker = TestNode.worker(slice);
                signal("STOP", worker);
                slice.close();
                assertTrue(client.isEnded());
                await(() -> ProcessHandle.of(worker).isEmpty(), "its worker stays");
            }
        }
    }
}
