package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Allocate;
import facet.abi.Claim;
import facet.abi.Constants;
import facet.abi.ContextSynchronize;
import facet.abi.Free;
import facet.abi.Result;
import facet.node.slice.MachineMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions of one slice that race for its memory. */
@Timeout(300)
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

    /** A client has all of its context's memory mapped. */
    @Test
    void whoUsesWhatItHasNotAllocatedIsEnded() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient honest = new TestClient(slice.socket());
                    TestClient sly = new TestClient(slice.socket())) {
                honest.createContext();
                sly.createContext();
                honest.allocate(0, BLOCK);
                honest.memory().asSlice(0, BLOCK).fill((byte) 1);
                sly.allocate(0, 1 << 20);
                sly.memory().asSlice(0, 64 << 20).fill((byte) 1);
                assertTrue(sly.isEnded());
                assertEquals(Result.SUCCESS, honest.call(new ContextSynchronize()).result());
                assertTrue(node.log().contains("it uses 64 MiB of memory"), node.log());
                assertTrue(node.log().contains("has allocated 1 MiB of its slice"), node.log());
            }
        }
    }

    @Test
    void hostMemoryIsBounded() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient staging = new TestClient(slice.socket());
                    TestClient pinned = new TestClient(slice.socket())) {
                staging.createContext();
                pinned.createContext();
                long most = Constants.STAGING_BYTES;
                staging.post(new Allocate(TestClient.BASE, most, Constants.MEMORY_STAGING));
                staging.post(new Free(TestClient.BASE));
                staging.post(new Allocate(TestClient.BASE, most, Constants.MEMORY_STAGING));
                assertEquals(Result.SUCCESS, staging.call(new ContextSynchronize()).result());
                staging.post(new Allocate(TestClient.BASE + most, 256, Constants.MEMORY_STAGING));
                assertTrue(staging.isEnded());
                long machine = MachineMemory.all() / 256 * 256;
                pinned.post(new Allocate(TestClient.BASE, machine + 256, Constants.MEMORY_PINNED));
                assertTrue(pinned.isEnded());
            }
        }
    }

    @Test
    void devicesAreCountedApart() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("two", TestNode.MEMORY, 2);
            try (TestClient first = new TestClient(slice.socket());
                    TestClient second = new TestClient(slice.socket())) {
                first.createContext(0);
                second.createContext(1);
                first.allocate(0, TestNode.MEMORY);
                second.allocate(0, TestNode.MEMORY);
                assertEquals(Result.SUCCESS, first.call(new ContextSynchronize()).result());
                assertEquals(Result.SUCCESS, second.call(new ContextSynchronize()).result());
                assertEquals(Result.ERROR_OUT_OF_MEMORY, first.call(new Claim(256)).result());
                assertEquals(Result.ERROR_OUT_OF_MEMORY, second.call(new Claim(256)).result());
                assertEquals(2 * TestNode.MEMORY, slice.memoryUsed());
                second.allocate(TestNode.MEMORY, 256);
                assertTrue(second.isEnded());
                assertEquals(Result.SUCCESS, first.call(new ContextSynchronize()).result());
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
