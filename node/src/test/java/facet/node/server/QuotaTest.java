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
import facet.abi.ReturnPages;
import facet.host.ledger.MachineMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions of one slice that race for its memory. */
@Timeout(300)
class QuotaTest {
    private static final long BLOCK = TestNode.MEMORY * 3 / 5 / 256 * 256;
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[(int) BLOCK]);

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

    /** Free at once for all, and not given out before the system has it. */
    @Test
    void freedPagesGoBackToTheSystem() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient first = new TestClient(slice.socket());
                    TestClient second = new TestClient(slice.socket())) {
                first.createContext();
                second.createContext();
                for (int round = 1; round <= 5; round++) {
                    long address = first.allocate(0, BLOCK);
                    first.memory().asSlice(0, BLOCK).fill((byte) round);
                    first.free(address, BLOCK);
                    long pages = BLOCK / 4096 * 4096;
                    first.post(new ReturnPages(address, pages, pages));
                    first.post(new ReturnPages(address + pages, 4096, 0));
                    assertEquals(Result.SUCCESS, first.call(new Claim(0)).result());
                    assertEquals(2L * round, first.side.contextStatus(0).returned());
                    assertEquals(-1, first.memory().asSlice(0, BLOCK).mismatch(ZEROS));
                    assertEquals(Result.SUCCESS, second.call(new Claim(BLOCK)).result());
                    assertEquals(0, second.returning());
                    second.claim(-BLOCK);
                }
            }
        }
    }

    /** It takes the time of a processor, which its slice has of its share. */
    @Test
    void givingPagesBackIsPaidFor() throws Exception {
        try (TestNode node = new TestNode(TestNode.Wall.NONE)) {
            SliceServer slice = node.slice("one");
            long ofPieces;
            try (TestClient client = new TestClient(slice.socket())) {
                client.createContext();
                assertEquals(0, slice.deviceNanos());
                long address = client.allocate(0, BLOCK);
                client.memory().asSlice(0, BLOCK).fill((byte) 1);
                client.free(address, BLOCK);
                client.post(new ReturnPages(address, BLOCK / 4096 * 4096, BLOCK));
                assertEquals(Result.SUCCESS, client.call(new Claim(0)).result());
                ofPieces = slice.deviceNanos();
                assertTrue(ofPieces > 0, "of what was freed");
                client.allocate(BLOCK, BLOCK);
                client.memory().asSlice(BLOCK, BLOCK).fill((byte) 1);
            }
            long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
            while (!slice.sessions().isEmpty() && System.nanoTime() < end) {
                Thread.sleep(1);
            }
            assertTrue(slice.deviceNanos() > ofPieces, "of what was left");
        }
    }

    /** What is about to be taken away helps nobody to keep what is not. */
    @Test
    void whoGivesBackWhatItDoesNotUseIsEndedForWhatItUses() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient sly = new TestClient(slice.socket())) {
                sly.createContext();
                sly.memory().asSlice(0, 64 << 20).fill((byte) 1);
                long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
                while (!sly.connection.awaitReadable(Duration.ofMillis(1))) {
                    assertTrue(System.nanoTime() < end, "it goes on");
                    sly.memory().asSlice(1 << 30, 1 << 20).fill((byte) 1);
                    sly.post(new ReturnPages(TestClient.BASE + (1 << 30), 1L << 30, 1L << 30));
                    // Its thread is to have seen all now and then: then there is no excuse left.
                    // One that has just been ended gets no answer.
                    try {
                        sly.side.call(0, new Claim(0), Duration.ofSeconds(5));
                    } catch (TimeoutException _) {
                        assertTrue(sly.isEnded(), "no answer, and no end");
                        break;
                    }
                }
                assertTrue(node.log().contains("broke the protocol"), node.log());
            } catch (IOException _) {
                assertTrue(node.log().contains("broke the protocol"), node.log());
            }
        }
    }

    @Test
    void whatIsNoPageCannotBeGivenBack() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            long[][] wrong = {
                {TestClient.BASE + 256, 4096},
                {TestClient.BASE, 256},
                {TestClient.BASE, 0},
                {TestClient.BASE, -4096},
                {TestClient.BASE, Long.MIN_VALUE},
                {0, 4096},
                {TestClient.BASE + (1L << 46), 4096},
                {Long.MAX_VALUE / 4096 * 4096, Long.MAX_VALUE / 4096 * 4096},
            };
            for (long[] each : wrong) {
                try (TestClient client = new TestClient(slice.socket())) {
                    client.createContext();
                    client.post(new ReturnPages(each[0], each[1], Long.MAX_VALUE));
                    assertTrue(client.isEnded(), each[1] + " bytes at " + each[0]);
                }
            }
        }
    }

    /** A child of the client, or whoever it gave the descriptor, may still have it mapped. */
    @Test
    void memoryOfASessionThatHasEndedIsGoneForAll() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket())) {
                client.createContext();
                client.allocate(0, BLOCK);
                MemorySegment kept = client.memory().asSlice(0, BLOCK);
                kept.fill((byte) 1);
                assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
                assertTrue(client.resident() >= BLOCK);
                client.connection.shutdown();
                long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
                while (!slice.sessions().isEmpty() && System.nanoTime() < end) {
                    Thread.sleep(1);
                }
                assertEquals(0, client.resident());
                assertEquals(-1, kept.mismatch(ZEROS));
            }
        }
    }

    /** Of the slice as on a GPU: a launch that does not fit is out of memory, and no fault. */
    @Test
    void localMemoryIsOfTheSlice() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket())) {
                client.createContext();
                assertEquals(Result.SUCCESS, client.load(0, LOCAL).result());
                client.allocate(0, BLOCK);
                client.launch(0, 0, 2, 512);
                assertEquals(Result.ERROR_OUT_OF_MEMORY, client.synchronize(0));
                client.launch(0, 0, 1, 32);
                assertEquals(Result.SUCCESS, client.synchronize(0));
                // There is room for it when it has run, and not before.
                assertEquals(BLOCK, client.claimed());
                client.launch(0, 0, 1, 64);
                assertEquals(Result.ERROR_OUT_OF_MEMORY, client.synchronize(0));
                client.free(TestClient.BASE, BLOCK);
                client.launch(0, 0, 1, 64);
                assertEquals(Result.SUCCESS, client.synchronize(0));
                assertEquals(0, slice.memoryUsed());
            }
        }
    }

    private static final String LOCAL =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry much()
            {
                .local .align 8 .b8 own[524288];
                .reg .b32 %r;
                mov.u32 %r, 7;
                st.local.u32 [own+524284], %r;
                ret;
            }
            """;

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
