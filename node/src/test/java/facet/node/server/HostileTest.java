package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Advise;
import facet.abi.Allocate;
import facet.abi.Command;
import facet.abi.Constants;
import facet.abi.ContextSynchronize;
import facet.abi.Copy;
import facet.abi.EventCreate;
import facet.abi.Free;
import facet.abi.HostFunction;
import facet.abi.Prefetch;
import facet.abi.ReplySlotLayout;
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
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients do that nobody would: it ends their session, and that is all. */
@Timeout(300)
class HostileTest {
    private static final long NOWHERE = 0x10;
    private static final VarHandle STATE = ValueLayout.JAVA_INT.varHandle();

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
                awaitSessions(slice, 1);
                assertEquals(4096, slice.memoryUsed());
                assertEquals(4096, other.taken());
            }
        }
    }

    private static void awaitSessions(SliceServer slice, int count) throws InterruptedException {
        Patience.await(() -> slice.sessions().size() == count, "sessions: " + slice.sessions());
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
    void randomCommandsAndMutatedBytes() throws Exception {
        long seed = Long.getLong("facet.seed", 20261117);
        System.out.println("seed " + seed + " (-Dfacet.seed=" + seed + " repeats it)");
        Random random = new Random(seed);
        int wanted = Integer.getInteger("facet.fuzz.records", 30_000);
        try (TestNode node = new TestNode()) {
            SliceServer attacked = node.slice("attacked");
            SliceServer quiet = node.slice("quiet");
            AtomicBoolean done = new AtomicBoolean();
            AtomicReference<Throwable> wrong = new AtomicReference<>();
            Thread honest =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    compute(quiet, done);
                                } catch (Throwable e) {
                                    wrong.set(e);
                                }
                            });
            int sent = 0;
            int sessions = 0;
            while (sent < wanted && wrong.get() == null) {
                sent += attack(attacked, random);
                sessions++;
            }
            done.set(true);
            honest.join();
            if (wrong.get() != null) {
                throw new AssertionError("seed " + seed, wrong.get());
            }
            awaitSessions(attacked, 0);
            assertEquals(0, attacked.memoryUsed());
            try (TestClient after = new TestClient(attacked.socket())) {
                assertEquals(0, after.taken());
                assertEquals(Result.SUCCESS, after.createContext().result());
                assertEquals(Result.SUCCESS, after.load(0, Kernels.ADD).result());
            }
            System.out.println(sent + " records in " + sessions + " sessions");
            assertFalse(node.log().contains(" error ["), node.log());
            assertFalse(node.log().contains("\u001b"), "control characters in the log");
        }
    }

    /** Results must be right all the time. */
    private static void compute(SliceServer slice, AtomicBoolean done) throws Exception {
        try (TestClient client = new TestClient(slice.socket())) {
            client.createContext();
            long cells = client.allocate(0, 1 << 16);
            client.load(0, Kernels.ADD);
            for (int round = 1; round < 5 || !done.get(); round++) {
                client.launch(0, 0, 64, 256, cells, 1 << 14, 1);
                assertEquals(Result.SUCCESS, client.synchronize(0));
                for (int i = 0; i < 1 << 14; i += 1021) {
                    assertEquals(round, client.get(4L * i));
                }
            }
        }
    }

    /** One session of a client that means no good. */
    private static int attack(SliceServer slice, Random random) throws Exception {
        int wrongOf = 50 << random.nextInt(6);
        RandomCommands commands = new RandomCommands(random, wrongOf);
        try (TestClient client = new TestClient(slice.socket())) {
            client.createContext();
            client.load(0, Kernels.ADD);
            client.allocate(0, 4096);
            client.allocate(4096, 4096);
            client.post(new EventCreate(0, 0));
            if (random.nextBoolean()) {
                client.load(1, Kernels.WILD);
            }
            MemorySegment memory = client.side.segment();
            int offset =
                    memory.get(ValueLayout.JAVA_INT, SessionHeaderLayout.COMMAND_OFFSET_OFFSET);
            RingWriter ring = RingWriter.of(memory, offset, Constants.COMMAND_BYTES);
            long sequence = client.sent;
            int sent = 0;
            for (; sent < 1000; sent++) {
                Command command = commands.next();
                int slot = 0;
                if (RandomCommands.waits(command)) {
                    slot =
                            random.nextInt(4 * wrongOf) == 0
                                    ? 1 + random.nextInt(64)
                                    : 1 + freeSlot(memory);
                    if (slot == 0) {
                        continue;
                    }
                }
                byte[] record =
                        command.encode(slot, ++sequence, random.nextInt(wrongOf) == 0 ? 1 : 0);
                if (random.nextInt(4 * wrongOf) == 0) {
                    mutate(random, record);
                }
                if (random.nextInt(4 * wrongOf) == 0) {
                    scribble(random, memory);
                }
                MemorySegment bytes = MemorySegment.ofArray(record);
                bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 0, record.length);
                if (!ring.offer(bytes)
                        || sent % 16 == 0
                                && client.connection.awaitReadable(java.time.Duration.ZERO)) {
                    break;
                }
            }
            return sent;
        }
    }

    /** A slot where nobody waits, marked as waited at; -1 when there is none. */
    private static int freeSlot(MemorySegment memory) {
        int replies = memory.get(ValueLayout.JAVA_INT, SessionHeaderLayout.REPLY_OFFSET_OFFSET);
        for (int slot = 0; slot < Constants.REPLY_SLOTS; slot++) {
            long state = replies + (long) slot * ReplySlotLayout.BYTES;
            if (state < 0 || state > memory.byteSize() - 4 || state % 4 != 0) {
                return -1;
            }
            int now = (int) STATE.getVolatile(memory, state);
            if (now == Constants.REPLY_FREE || now == Constants.REPLY_DONE) {
                STATE.setVolatile(memory, state, Constants.REPLY_PENDING);
                return slot;
            }
        }
        return -1;
    }

    private static void mutate(Random random, byte[] record) {
        for (int i = 0; i <= random.nextInt(3); i++) {
            record[4 + random.nextInt(record.length - 4)] = (byte) random.nextInt();
        }
    }

    /** Writes into reply slots, statuses, headers, rings: the host must not believe any of it. */
    private static void scribble(Random random, MemorySegment memory) {
        int callbacks =
                memory.get(ValueLayout.JAVA_INT, SessionHeaderLayout.CALLBACK_OFFSET_OFFSET);
        if (random.nextInt(4) == 0 && callbacks > 0 && callbacks < memory.byteSize() - 256) {
            memory.set(
                    ValueLayout.JAVA_BYTE,
                    callbacks + random.nextInt(256),
                    (byte) random.nextInt());
        }
        int end = memory.get(ValueLayout.JAVA_INT, SessionHeaderLayout.COMMAND_OFFSET_OFFSET);
        if (end > 4096 && end < memory.byteSize()) {
            memory.set(
                    ValueLayout.JAVA_BYTE,
                    128 + random.nextInt(end - 128),
                    (byte) random.nextInt());
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
            awaitSessions(slice, 0);
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
            RingWriter ring = ring(client);
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
            compute(slice, new AtomicBoolean(true));
        }
    }

    /** Where it writes its commands. */
    static RingWriter ring(TestClient client) {
        MemorySegment memory = client.side.segment();
        int offset = memory.get(ValueLayout.JAVA_INT, SessionHeaderLayout.COMMAND_OFFSET_OFFSET);
        return RingWriter.of(memory, offset, Constants.COMMAND_BYTES);
    }

    @Test
    void waitsInSlotsThatAreNoneEndTheSession() throws Exception {
        try (TestNode node = new TestNode();
                TestClient client = new TestClient(node.slice("one").socket())) {
            client.createContext();
            MemorySegment memory = client.side.segment();
            int offset =
                    memory.get(ValueLayout.JAVA_INT, SessionHeaderLayout.COMMAND_OFFSET_OFFSET);
            RingWriter ring = RingWriter.of(memory, offset, Constants.COMMAND_BYTES);
            ring.offer(new StreamSynchronize(0).encode(65, 2, 0));
            assertTrue(client.isEnded());
            assertTrue(node.log().contains("reply slot 65"), node.log());
        }
    }
}
