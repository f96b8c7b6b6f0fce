package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Advise;
import facet.abi.Allocate;
import facet.abi.Constants;
import facet.abi.ContextSynchronize;
import facet.abi.Copy;
import facet.abi.Free;
import facet.abi.HostFunction;
import facet.abi.Prefetch;
import facet.abi.Result;
import facet.abi.RingControlLayout;
import facet.abi.SessionHeaderLayout;
import facet.abi.StreamCreate;
import facet.abi.StreamSynchronize;
import facet.abi.Write;
import facet.os.Connection;
import facet.os.SocketKind;
import facet.ring.RingWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients do that nobody would: it ends their session, and that is all. */
@Timeout(300)
class HostileTest {
    private static final long NOWHERE = 0x10;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stream",
                "address",
                "overlap",
                "twice",
                "doubleFree",
                "quota",
                "kind",
                "addressAfterFault",
                "context",
                "prefetchAddress",
                "prefetchSize",
                "prefetchContext",
                "prefetchStream",
                "adviseAddress",
                "adviseSize"
            })
    void aWrongCommandEndsItsSession(String what) throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket());
                    TestClient other = new TestClient(slice.socket())) {
                client.createContext();
                other.createContext();
                long cells = other.allocate(0, 4096);
                other.load(0, Kernels.ADD);
                client.allocate(0, 4096);
                switch (what) {
                    case "stream" -> client.post(new Copy(TestClient.BASE, TestClient.BASE, 4, 9));
                    case "address" -> client.post(new Copy(NOWHERE, TestClient.BASE, 4, 0));
                    case "overlap" -> client.allocate(256, 256);
                    case "twice" -> client.post(new StreamCreate(0, 0, 0));
                    case "doubleFree" -> {
                        client.post(new Free(TestClient.BASE));
                        client.post(new Free(TestClient.BASE));
                    }
                    case "quota" ->
                            client.post(
                                    new Allocate(
                                            TestClient.BASE + (1 << 20),
                                            TestNode.MEMORY,
                                            Constants.MEMORY_DEVICE));
                    case "kind" -> client.post(new Allocate(TestClient.BASE + 8192, 256, 7));
                    case "addressAfterFault" -> {
                        client.load(0, Kernels.WILD);
                        client.launch(0, 0, 1, 1);
                        assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
                        client.post(new Allocate(NOWHERE, 4096, Constants.MEMORY_DEVICE));
                    }
                    case "context" ->
                            client.side.post(5, new Free(TestClient.BASE), TestClient.PATIENCE);
                    case "prefetchAddress" -> client.post(new Prefetch(NOWHERE, 4096, 0, 0, 1));
                    case "prefetchSize" ->
                            client.post(new Prefetch(TestClient.BASE, Long.MAX_VALUE, 0, 0, 0));
                    case "prefetchContext" ->
                            client.post(new Prefetch(TestClient.BASE, 4096, 0, -1, 1));
                    case "prefetchStream" ->
                            client.post(new Prefetch(TestClient.BASE, 4096, 77, 0, 1));
                    case "adviseAddress" -> client.post(new Advise(-1, 4096, 1));
                    case "adviseSize" ->
                            client.post(new Advise(TestClient.BASE, Long.MIN_VALUE, 1));
                    default -> throw new AssertionError(what);
                }
                assertTrue(client.isEnded());
                other.launch(0, 0, 1, 32, cells, 32, 1);
                assertEquals(Result.SUCCESS, other.synchronize(0));
                assertEquals(1, other.get(0));
                assertTrue(node.log().contains("broke the protocol"), node.log());
                Patience.awaitSessions(slice, 1);
                assertEquals(4096, slice.memoryUsed());
                assertEquals(4096, other.taken());
            }
        }
    }

    @Test
    void whoDoesNotGreetIsLetGo() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (Connection silent = Connection.connect(slice.socket(), SocketKind.PACKETS);
                    Connection rude = Connection.connect(slice.socket(), SocketKind.PACKETS);
                    Connection old = Connection.connect(slice.socket(), SocketKind.PACKETS)) {
                rude.send(new byte[] {1, 2, 3});
                assertTrue(rude.receive(4096).isEmpty());
                old.send(TestClient.hello(99, "old"));
                byte[] refusal = old.receive(4096).orElseThrow().bytes();
                assertTrue(
                        TestClient.message(refusal).contains("protocol " + Constants.PROTOCOL),
                        TestClient.message(refusal));
                assertTrue(silent.receive(4096).isEmpty());
            }
            assertTrue(slice.sessions().isEmpty());
        }
    }

    @Test
    void aBrokenRingEndsItsSession() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            for (long head : new long[] {-1, 7, 1L << 40, Long.MIN_VALUE}) {
                try (TestClient client = new TestClient(slice.socket())) {
                    client.createContext();
                    MemorySegment memory = client.side.segment();
                    int offset =
                            memory.get(
                                    ValueLayout.JAVA_INT,
                                    SessionHeaderLayout.COMMAND_OFFSET_OFFSET);
                    memory.set(ValueLayout.JAVA_LONG, offset, head);
                    // Wakes the reader.
                    try {
                        client.side.post(0, new ContextSynchronize(), TestClient.PATIENCE);
                        memory.set(ValueLayout.JAVA_LONG, offset, head);
                    } catch (IllegalStateException | facet.ring.MalformedRecord e) {
                        assertTrue(client.isEnded());
                    }
                }
            }
            Patience.awaitSessions(slice, 0);
        }
    }

    @Test
    void tooMuchBehindAHostFunctionEndsTheSession() throws Exception {
        try (TestNode node = new TestNode();
                TestClient client = new TestClient(node.slice("one").socket())) {
            client.createContext();
            client.allocate(0, 4096);
            client.post(new HostFunction(1, 0));
            client.takeCallback();
            Write data = new Write(TestClient.BASE, 0, new byte[4096]);
            assertThrows(
                    Exception.class,
                    () -> {
                        for (int i = 0; i < 200_000; i++) {
                            client.side.post(0, data, Duration.ofSeconds(1));
                        }
                    });
            assertTrue(client.isEnded());
            assertTrue(node.log().contains("wait for a host function"), node.log());
        }
    }

    @Test
    void twoWaitsAtOneSlotEndTheSession() throws Exception {
        try (TestNode node = new TestNode();
                TestClient client = new TestClient(node.slice("one").socket())) {
            client.createContext();
            client.post(new HostFunction(1, 0));
            client.takeCallback();
            RingWriter ring = client.ring();
            ring.offer(new StreamSynchronize(0).encode(3, client.sent + 1, 0));
            ring.offer(new StreamSynchronize(0).encode(3, client.sent + 2, 0));
            assertTrue(client.isEnded());
            assertTrue(node.log().contains("reply slot 3"), node.log());
        }
    }

    @Test
    void aBrokenCallbackRingEndsItsSessionAndNoDevice() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            for (int i = 0; i < 4; i++) {
                try (TestClient client = new TestClient(slice.socket())) {
                    client.createContext();
                    MemorySegment memory = client.side.segment();
                    int offset =
                            memory.get(
                                    ValueLayout.JAVA_INT,
                                    SessionHeaderLayout.CALLBACK_OFFSET_OFFSET);
                    memory.set(
                            ValueLayout.JAVA_LONG,
                            offset + RingControlLayout.TAIL_OFFSET,
                            1L << 50);
                    for (int stream = 1; stream < 2500; stream++) {
                        client.post(new StreamCreate(stream, 0, 0));
                        client.post(new HostFunction(stream, stream));
                    }
                    assertTrue(client.isEnded());
                }
            }
            assertTrue(node.log().contains("callback ring"), node.log());
            HonestProgram.run(slice, new AtomicBoolean(true));
        }
    }

    @Test
    void waitsInSlotsThatAreNoneEndTheSession() throws Exception {
        try (TestNode node = new TestNode();
                TestClient client = new TestClient(node.slice("one").socket())) {
            client.createContext();
            RingWriter ring = client.ring();
            ring.offer(new StreamSynchronize(0).encode(65, 2, 0));
            assertTrue(client.isEnded());
            assertTrue(node.log().contains("reply slot 65"), node.log());
        }
    }
}
