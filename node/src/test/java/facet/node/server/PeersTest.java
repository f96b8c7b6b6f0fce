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
import facet.abi.PeerAccess;
import facet.abi.Result;
import facet.os.Message;
import facet.os.SharedMemoryUnsafe;
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
                        new CopyPeer(THERE, TestClient.BASE, 64, 0, 1, 0)
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
