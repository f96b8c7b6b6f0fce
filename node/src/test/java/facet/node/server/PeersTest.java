package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Allocate;
import facet.abi.Command;
import facet.abi.Constants;
import facet.abi.ContextCreate;
import facet.abi.ContextDestroy;
import facet.abi.ContextSynchronize;
import facet.abi.CopyPeer;
import facet.abi.CopyPeerBox;
import facet.abi.PeerAccess;
import facet.abi.Result;
import facet.os.Message;
import facet.os.SharedMemoryUnsafe;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two contexts of one session, and what they have of each other. */
@Timeout(300)
class PeersTest {
    private static final long OTHER = 0x6800_0000_0000L;
    private static final long OWN = 4L << 30;

    /** The second context's memory, where the client's part begins. */
    private static final long THERE = OTHER + OWN;

    private static SharedMemoryUnsafe second(TestClient client) throws Exception {
        assertEquals(
                Result.SUCCESS,
                client.side.call(1, new ContextCreate(1, 0, OTHER), TestClient.PATIENCE).result());
        Message message = client.connection.receive(64).orElseThrow();
        return SharedMemoryUnsafe.attach(message.descriptors()[0]);
    }

    private static int call(TestClient client, int context, Command command) throws Exception {
        return client.side.call(context, command, TestClient.PATIENCE).result();
    }

    private static void allocateThere(TestClient client, int kind) throws Exception {
        client.side.post(1, new Allocate(THERE, 4096, kind), TestClient.PATIENCE);
    }

    @Test
    void kernelsReachWhatIsTheProgramsOnAllDevices() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one", TestNode.MEMORY, 2);
            try (TestClient client = new TestClient(slice.socket())) {
                client.createContext();
                client.load(0, Kernels.ADD);
                try (SharedMemoryUnsafe memory = second(client)) {
                    allocateThere(client, Constants.MEMORY_PINNED);
                    client.launch(0, 0, 1, 32, THERE, 32, 5);
                    assertEquals(Result.SUCCESS, client.synchronize(0));
                    assertEquals(5, memory.segment().get(ValueLayout.JAVA_INT, OWN));
                    // Behind it is nothing, also not of the other context.
                    client.launch(0, 0, 1, 32, THERE + 4096, 32, 5);
                    assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
                }
            }
        }
    }

    @Test
    void accessIsGivenAndTakenAway() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one", TestNode.MEMORY, 2);
            try (TestClient client = new TestClient(slice.socket())) {
                client.createContext();
                client.load(0, Kernels.ADD);
                long own = client.allocate(0, 4096);
                try (SharedMemoryUnsafe memory = second(client)) {
                    allocateThere(client, Constants.MEMORY_DEVICE);
                    assertEquals(Result.SUCCESS, call(client, 0, new PeerAccess(1, 1)));
                    client.launch(0, 0, 1, 32, THERE, 32, 7);
                    client.side.post(
                            0, new CopyPeer(own, THERE, 128, 0, 1, 0), TestClient.PATIENCE);
                    client.side.post(
                            0, new CopyPeer(THERE + 256, own, 128, 0, 1, 1), TestClient.PATIENCE);
                    assertEquals(Result.SUCCESS, client.synchronize(0));
                    assertEquals(7, client.memory().get(ValueLayout.JAVA_INT, 0));
                    assertEquals(7, memory.segment().get(ValueLayout.JAVA_INT, OWN + 256));
                    assertEquals(Result.SUCCESS, call(client, 0, new PeerAccess(1, 0)));
                    client.launch(0, 0, 1, 32, THERE, 32, 7);
                    assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
                    // The other one has not noticed.
                    assertEquals(Result.SUCCESS, call(client, 1, new ContextSynchronize()));
                }
            }
        }
    }

    /** Three slices of four rows of 16 bytes. */
    private static CopyPeerBox box(long destination, long source, int toPeer) {
        return new CopyPeerBox(destination, 64, 512, source, 32, 256, 16, 4, 3, 0, 1, toPeer);
    }

    @Test
    void rowsAndSlicesAreCopiedBothWays() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one", TestNode.MEMORY, 2);
            try (TestClient client = new TestClient(slice.socket())) {
                client.createContext();
                long own = client.allocate(0, 4096);
                try (SharedMemoryUnsafe memory = second(client)) {
                    allocateThere(client, Constants.MEMORY_DEVICE);
                    MemorySegment there = memory.segment().asSlice(OWN, 4096);
                    for (int i = 0; i < 1024; i++) {
                        there.set(ValueLayout.JAVA_BYTE, i, (byte) (1 + i % 100));
                    }
                    client.side.post(0, box(own, THERE, 0), TestClient.PATIENCE);
                    assertEquals(Result.SUCCESS, client.synchronize(0));
                    MemorySegment here = client.memory().asSlice(0, 2048);
                    for (int i = 0; i < 2048; i++) {
                        int z = i / 512;
                        int y = i % 512 / 64;
                        int x = i % 64;
                        boolean inside = x < 16 && y < 4 && z < 3;
                        int expected = inside ? 1 + (z * 256 + y * 32 + x) % 100 : 0;
                        assertEquals(expected, here.get(ValueLayout.JAVA_BYTE, i), "byte " + i);
                    }
                    client.side.post(0, box(THERE + 2048, own, 1), TestClient.PATIENCE);
                    assertEquals(Result.SUCCESS, client.synchronize(0));
                    for (int i = 0; i < 16; i++) {
                        assertEquals(
                                here.get(ValueLayout.JAVA_BYTE, 256 + 32 + i),
                                there.get(ValueLayout.JAVA_BYTE, 2048 + 512 + 64 + i));
                    }
                    // Nothing to copy, and rows that lie in one another: the stream goes on.
                    for (long none : new long[] {0, Long.MIN_VALUE}) {
                        client.side.post(
                                0,
                                new CopyPeerBox(own, 64, 0, THERE, 64, 0, 16, none, 1, 0, 1, 0),
                                TestClient.PATIENCE);
                        assertEquals(
                                none == 0 ? Result.SUCCESS : Result.ERROR_INVALID_VALUE,
                                client.synchronize(0));
                    }
                    client.side.post(
                            0,
                            new CopyPeerBox(own, 8, 0, THERE, 64, 0, 16, 2, 1, 0, 1, 0),
                            TestClient.PATIENCE);
                    assertEquals(Result.ERROR_INVALID_VALUE, client.synchronize(0));
                    assertFalse(node.log().contains("broke the protocol"), node.log());
                }
            }
        }
    }

    @Test
    void whatIsNotThereIsRefused() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one", TestNode.MEMORY, 2);
            try (TestClient client = new TestClient(slice.socket())) {
                client.createContext();
                long own = client.allocate(0, 4096);
                assertEquals(Result.ERROR_INVALID_CONTEXT, call(client, 0, new PeerAccess(63, 1)));
                assertEquals(Result.ERROR_INVALID_CONTEXT, call(client, 0, new PeerAccess(0, 1)));
                client.side.post(0, new CopyPeer(own, THERE, 64, 0, 9, 0), TestClient.PATIENCE);
                assertEquals(Result.ERROR_INVALID_VALUE, client.synchronize(0));
                assertFalse(node.log().contains("broke the protocol"), node.log());
            }
            for (Command each :
                    new Command[] {
                        new PeerAccess(-1, 1),
                        new PeerAccess(Integer.MIN_VALUE, 1),
                        new CopyPeer(TestClient.BASE, OTHER - 1, 64, 0, 1, 0),
                        new CopyPeer(TestClient.BASE, THERE, -1, 0, 1, 0),
                        new CopyPeer(TestClient.BASE, THERE, Long.MAX_VALUE, 0, 1, 0),
                        new CopyPeer(Long.MIN_VALUE, TestClient.BASE, 64, 0, 1, 1),
                        new CopyPeer(THERE, TestClient.BASE, 64, 0, 1, 0),
                        box(THERE, TestClient.BASE, 0),
                        box(TestClient.BASE, OTHER - 1, 0),
                        hostile(64, 512, 16, 1L << 62, 1),
                        hostile(64, 512, 16, 4, Long.MAX_VALUE),
                        hostile(1L << 62, 512, 16, 5, 1),
                        hostile(Long.MAX_VALUE, Long.MAX_VALUE, 1, 3, 1),
                        hostile(1L << 32, Long.MAX_VALUE, 16, 1L << 31, 3),
                        hostile(64, 1L << 62, 16, 4, 3),
                        hostile(64, 512, Long.MAX_VALUE, 1, 1),
                        hostile(1L << 31, 1L << 34, 1L << 31, 4, 3)
                    }) {
                try (TestClient client = new TestClient(slice.socket())) {
                    client.createContext();
                    try (SharedMemoryUnsafe _ = second(client)) {
                        client.side.post(0, each, TestClient.PATIENCE);
                        assertTrue(client.isEnded(), each.toString());
                    }
                }
            }
        }
    }

    /** Its shape is no memory's, on both sides alike. */
    private static CopyPeerBox hostile(
            long pitch, long slice, long width, long height, long depth) {
        return new CopyPeerBox(
                TestClient.BASE, pitch, slice, THERE, pitch, slice, width, height, depth, 0, 1, 0);
    }

    private static void destroySecond(TestClient client) {
        try {
            client.side.call(1, new ContextDestroy(), Duration.ofSeconds(20));
        } catch (Exception e) {
            // Nobody answers when the session ends.
            assertTrue(e instanceof TimeoutException, e.toString());
        }
    }

    /** Its memory stays until nothing has a way to it; and the end of the session ends all. */
    @Test
    void aContextDoesNotEndUnderAKernelOfAnother() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one", TestNode.MEMORY, 2);
            try (TestClient client = new TestClient(slice.socket())) {
                client.createContext();
                client.load(0, Kernels.SPIN);
                client.allocate(0, 4096);
                Thread destroying;
                try (SharedMemoryUnsafe memory = second(client)) {
                    allocateThere(client, Constants.MEMORY_DEVICE);
                    assertEquals(Result.SUCCESS, call(client, 0, new PeerAccess(1, 1)));
                    memory.segment().set(ValueLayout.JAVA_INT, OWN, 77);
                    client.launch(0, 0, 1, 1, TestClient.BASE);
                    destroying = Thread.ofVirtual().start(() -> destroySecond(client));
                    while (call(client, 0, new PeerAccess(1, 1)) == Result.SUCCESS) {
                        Thread.sleep(1);
                    }
                    // It is not to be had any more, and its memory is still there.
                    assertEquals(77, memory.segment().get(ValueLayout.JAVA_INT, OWN));
                }
                assertTrue(destroying.isAlive(), "its memory is gone while a kernel has it");
                client.connection.close();
                destroying.join();
                long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
                while (!slice.sessions().isEmpty() && System.nanoTime() - end < 0) {
                    Thread.sleep(5);
                }
                assertTrue(slice.sessions().isEmpty(), "it does not end");
            }
        }
    }
}
