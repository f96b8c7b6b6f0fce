package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Claim;
import facet.abi.ContextSynchronize;
import facet.abi.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions of one slice that race for its memory. */
@Timeout(120)
class QuotaTest {
    private static final long BLOCK = TestNode.MEMORY * 3 / 5 / 256 * 256;

    @Test
    void twoSessionsAndRoomForOne() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            AtomicInteger taken = new AtomicInteger();
            AtomicReference<Throwable> wrong = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                threads.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    try (TestClient client = new TestClient(slice.socket())) {
                                        client.createContext();
                                        race(client, taken);
                                        client.call(new ContextSynchronize());
                                    } catch (Throwable e) {
                                        wrong.set(e);
                                    }
                                }));
            }
            for (Thread each : threads) {
                each.join();
            }
            if (wrong.get() != null) {
                throw new AssertionError(wrong.get());
            }
            assertTrue(taken.get() > 10, taken + " allocations");
            assertFalse(node.log().contains("broke the protocol"), node.log());
        }
    }

    private static void race(TestClient client, AtomicInteger taken) throws Exception {
        for (int i = 0; i < 2000; i++) {
            client.claim(BLOCK);
            if (client.taken() > client.limit()) {
                client.claim(-BLOCK);
                if (client.call(new Claim(BLOCK)).result() != Result.SUCCESS) {
                    continue;
                }
            }
            // Claimed, one way or the other.
            client.claim(-BLOCK);
            long address = client.allocate(0, BLOCK);
            taken.incrementAndGet();
            client.free(address, BLOCK);
        }
    }

    @Test
    void whoTakesWhatAnotherHasIsRefusedAndKeepsItsSession() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient first = new TestClient(slice.socket());
                    TestClient second = new TestClient(slice.socket())) {
                first.createContext();
                second.createContext();
                first.allocate(0, BLOCK);
                assertEquals(Result.ERROR_OUT_OF_MEMORY, second.call(new Claim(BLOCK)).result());
                assertEquals(Result.SUCCESS, second.call(new Claim(4096)).result());
                assertEquals(4096, second.claimed());
                first.connection.close();
                long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
                while (slice.sessions().size() > 1 && System.nanoTime() < end) {
                    Thread.sleep(1);
                }
                assertEquals(Result.SUCCESS, second.call(new Claim(BLOCK)).result());
            }
        }
    }

    @Test
    void whoDoesNotAskIsEnded() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient honest = new TestClient(slice.socket());
                    TestClient greedy = new TestClient(slice.socket())) {
                honest.createContext();
                greedy.createContext();
                honest.allocate(0, BLOCK);
                honest.call(new ContextSynchronize());
                greedy.allocate(0, BLOCK);
                assertTrue(greedy.isEnded());
                assertEquals(Result.SUCCESS, honest.call(new ContextSynchronize()).result());
                assertTrue(node.log().contains("broke the protocol"), node.log());
            }
        }
    }
}
