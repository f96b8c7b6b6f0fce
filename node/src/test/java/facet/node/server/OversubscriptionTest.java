package facet.node.server;

import static facet.node.server.Patience.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Constants;
import facet.abi.ContextSynchronize;
import facet.abi.Copy;
import facet.abi.Result;
import facet.abi.StreamCreate;
import facet.abi.Write;
import facet.host.residency.Residency;
import facet.node.server.TestNode.Wall;
import facet.sched.Eviction;
import facet.sched.Terms;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slices that were promised more than the device has. */
@Timeout(300)
class OversubscriptionTest {
    static final long DEVICE = 64L << 20;
    static final long LIMIT = 48L << 20;
    private static final int CELLS = 10 << 20; // 40 MiB of them

    /** For those who have no chance: what they wait for does not happen. */
    static final Duration SOON = Duration.ofMillis(500);

    /** For room that there is, however busy the machine. */
    static final Duration LATE = Duration.ofSeconds(100);

    /** A client that has filled its memory with a pattern. */
    private static TestClient filled(SliceServer slice, int pattern) throws Exception {
        TestClient client = new TestClient(slice.socket(), "pattern-" + pattern);
        client.createContext();
        client.load(0, Kernels.ADD);
        client.allocate(0, 4L * CELLS);
        client.touch(() -> write(client, pattern));
        return client;
    }

    private static void write(TestClient client, int pattern) throws Exception {
        int[] cells = new int[CELLS];
        Arrays.setAll(cells, i -> i * 31 + pattern);
        client.write(0, MemorySegment.ofArray(cells));
    }

    private static void add(TestClient client, int value) throws Exception {
        client.launch(0, 0, CELLS / 256, 256, TestClient.BASE, CELLS, value);
        assertEquals(Result.SUCCESS, client.synchronize(0));
    }

    private static void check(TestClient client, int pattern) throws Exception {
        client.touch(() -> {
            MemorySegment cells = client.read(0, 4L * CELLS);
            for (int i = 0; i < CELLS; i++) {
                int cell = cells.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
                if (cell != i * 31 + pattern) {
                    assertEquals(i * 31 + pattern, cell, "cell " + i);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void threeSlicesComputeInTurns(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, DEVICE)) {
            List<TestClient> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(filled(node.slice("slice-" + i, LIMIT), 1000 * i));
                assertTrue(node.figures().resident() <= DEVICE);
            }
            for (int round = 1; round <= 2; round++) {
                for (TestClient each : clients) {
                    add(each, 7);
                    assertTrue(node.figures().resident() <= DEVICE);
                }
            }
            Residency.Figures figures = node.figures();
            assertTrue(figures.moves() >= 8, figures.toString());
            assertEquals(80L << 20, figures.movedOut());
            assertEquals(40L << 20, node.residentOf("slice-2"));
            assertEquals(0, node.residentOf("slice-0"));
            for (int i = 0; i < 3; i++) {
                check(clients.get(i), 1000 * i + 14);
            }
            clients.forEach(TestClient::close);
            await(() -> node.figures().resident() == 0, "all is given back");
            await(() -> node.figures().movedOut() == 0, "what was moved out is gone");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void anIdleOneComesBackIntact(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, DEVICE);
                TestClient idle = filled(node.slice("idle", LIMIT), 5);
                TestClient busy = filled(node.slice("busy", LIMIT), 6)) {
            for (int i = 0; i < 20; i++) {
                add(busy, 1);
            }
            assertEquals(0, node.residentOf("idle"));
            // Twenty launches of one that is there cost no moves.
            assertEquals(1, node.figures().moves());
            assertTrue(idle.side.contextStatus(0).moved());
            check(idle, 5);
            assertFalse(idle.side.contextStatus(0).moved());
            check(busy, 26);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void lowPriorityMovesFirst(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, 128L << 20);
                TestClient high = filled(node.slice("high", LIMIT, terms(50)), 1);
                TestClient low = filled(node.slice("low", LIMIT, terms(10)), 2);
                TestClient middle = filled(node.slice("middle", LIMIT, terms(20)), 3)) {
            add(high, 1);
            add(middle, 1);
            add(low, 1);
            // All of them are idle by then, low too, which was used last.
            Thread.sleep(TimeUnit.NANOSECONDS.toMillis(2 * Eviction.STANDARD.idleAfter()));
            try (TestClient next = filled(node.slice("next", LIMIT, terms(0)), 4)) {
                add(next, 1);
                assertEquals(0, node.residentOf("low"));
                assertEquals(40L << 20, node.residentOf("high"));
                assertEquals(40L << 20, node.residentOf("middle"));
            }
            check(low, 3);
            check(high, 2);
            check(middle, 4);
        }
    }

    private static Terms terms(int priority) {
        return new Terms(
                facet.sched.Policy.BURST,
                0,
                priority,
                Terms.DEFAULT_TURN,
                facet.sched.Calendar.EMPTY,
                0);
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void aRunningKernelIsMovedAndGoesOn(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, DEVICE);
                TestClient spins = filled(node.slice("spins", LIMIT), 0)) {
            spins.load(1, Kernels.SPIN);
            spins.post(new StreamCreate(1, Constants.STREAM_NON_BLOCKING, 0));
            spins.post(new StreamCreate(2, Constants.STREAM_NON_BLOCKING, 0));
            // Cell 0 is 0: it spins on memory that is moved while it does.
            spins.launchOf(1, 1, 0, 1, 1, TestClient.BASE);
            // Behind it a copy, which must not run while the memory is away.
            spins.post(new Copy(TestClient.BASE + 4, TestClient.BASE + 8, 4, 1));
            try (TestClient other = filled(node.slice("other", LIMIT), 9)) {
                add(other, 1);
                check(other, 10);
            }
            await(() -> node.residentOf("spins") > 0, "it comes back");
            assertTrue(node.figures().moves() >= 2);
            spins.post(new Write(TestClient.BASE, 2, new byte[] {1, 0, 0, 0}));
            assertEquals(Result.SUCCESS, spins.synchronize(1));
            spins.touch(() -> {
                assertEquals(1, spins.get(0));
                assertEquals(62, spins.get(4));
                assertEquals(93, spins.get(12));
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void twoThatAlwaysWorkTakeTurns(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, DEVICE);
                TestClient one = filled(node.slice("one", LIMIT), 1);
                TestClient two = filled(node.slice("two", LIMIT), 2)) {
            long before = node.figures().moves();
            long begin = System.nanoTime();
            long end = begin + 4_000_000_000L;
            int[] rounds = new int[2];
            List<Thread> threads = new ArrayList<>();
            for (TestClient each : List.of(one, two)) {
                int index = threads.size();
                threads.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    try {
                                        while (System.nanoTime() < end) {
                                            add(each, 1);
                                            rounds[index]++;
                                        }
                                    } catch (Exception | Error e) {
                                        throw new AssertionError(e);
                                    }
                                }));
            }
            for (Thread each : threads) {
                each.join();
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            long moves = node.figures().moves() - before;
            System.out.println("rounds " + rounds[0] + " and " + rounds[1] + ", moves " + moves);
            assertTrue(rounds[0] > 0 && rounds[1] > 0, rounds[0] + " and " + rounds[1]);
            // A turn lasts half a second at least, and costs two moves.
            assertTrue(moves <= 2 * (2 * seconds + 2), moves + " moves in " + seconds + " s");
            check(one, 1 + rounds[0]);
            check(two, 2 + rounds[1]);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void whatIsFreedWhileMovedOutIsForgotten(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, DEVICE);
                TestClient idle = filled(node.slice("idle", LIMIT), 5);
                TestClient busy = filled(node.slice("busy", LIMIT), 6)) {
            add(busy, 1);
            assertEquals(40L << 20, node.figures().movedOut());
            idle.free(TestClient.BASE, 4L * CELLS);
            assertEquals(Result.SUCCESS, idle.call(new ContextSynchronize()).result());
            assertEquals(0, node.figures().movedOut());
            assertFalse(idle.side.contextStatus(0).moved());
            idle.allocate(0, 1 << 20);
            idle.touch(() -> assertEquals(0, idle.get(36)));
            assertEquals(Result.SUCCESS, idle.call(new ContextSynchronize()).result());
            assertEquals(41L << 20, node.figures().resident());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void aSessionMayEndWhileMovedOut(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, DEVICE);
                TestClient busy = filled(node.slice("busy", LIMIT), 6)) {
            SliceServer slice = node.slice("idle", LIMIT);
            try (TestClient idle = filled(slice, 5)) {
                add(busy, 1);
                assertEquals(0, node.residentOf("idle"));
                idle.connection.close();
                await(() -> slice.sessions().isEmpty(), "the session ends");
            }
            assertEquals(0, node.figures().movedOut());
            assertEquals(40L << 20, node.figures().resident());
            check(busy, 7);
        }
    }

    /** The client is killed while its launch waits for room. */
    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void aSessionMayEndWhileItWaits(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, DEVICE);
                TestClient stays = filled(node.slice("stays", LIMIT), 6)) {
            SliceServer slice = node.slice("waits", LIMIT);
            try (TestClient waits = filled(slice, 5)) {
                // From here on it says to be touching its memory, for ever.
                stays.touch(() -> stays.side.contextStatus(0).touch(1));
                assertEquals(40L << 20, node.residentOf("stays"));
                waits.launch(0, 0, CELLS / 256, 256, TestClient.BASE, CELLS, 1);
                Thread.sleep(100);
                waits.connection.close();
                await(() -> slice.sessions().isEmpty(), "the session ends");
            }
            stays.side.contextStatus(0).touch(-1);
            assertEquals(0, node.figures().movedOut());
            check(stays, 6);
        }
    }

    /**
     * Who never lets go keeps its memory; another one leaves, and without one there is an error.
     */
    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void whoDoesNotLetGoIsNotMoved(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, 96L << 20);
                TestClient stuck = filled(node.slice("stuck", LIMIT), 1);
                TestClient fair = filled(node.slice("fair", LIMIT), 2)) {
            stuck.touch(() -> stuck.side.contextStatus(0).touch(1));
            try (TestClient next = filled(node.slice("next", LIMIT), 3)) {
                add(next, 1);
                check(next, 4);
                assertEquals(40L << 20, node.residentOf("stuck"));
                assertEquals(0, node.residentOf("fair"));
                next.touch(() -> next.side.contextStatus(0).touch(1));
                node.residency().patience(SOON);
                fair.launch(0, 0, CELLS / 256, 256, TestClient.BASE, CELLS, 1);
                assertEquals(Result.ERROR_OUT_OF_MEMORY, fair.synchronize(0));
                // A worker writes its own log.
                assertTrue(
                        wall != Wall.NONE || node.log().contains("no room for its memory"),
                        node.log());
            }
            node.residency().patience(LATE);
            check(fair, 2);
        }
    }

    /**
     * Each has the room that the other one needs, and writes to memory that has none yet: where
     * memory is far they wait for their writes, and what they have must be able to leave meanwhile.
     */
    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void twoThatWriteAtOnceMakeRoomForEachOther(Wall wall) throws Exception {
        int half = (int) (LIMIT / 2);
        byte[] data = new byte[half];
        Arrays.fill(data, (byte) 7);
        CyclicBarrier touching = new CyclicBarrier(2);
        try (TestNode node = new TestNode(wall, DEVICE);
                TestClient one = TestClient.withContext(node.slice("one", LIMIT));
                TestClient other = TestClient.withContext(node.slice("other", LIMIT));
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<?>> writers = new ArrayList<>();
            for (TestClient each : List.of(one, other)) {
                each.allocate(0, half);
                each.touch(() -> each.write(0, MemorySegment.ofArray(data)));
                writers.add(
                        threads.submit(() -> {
                            each.touch(() -> {
                                touching.await(LATE.toSeconds(), TimeUnit.SECONDS);
                                each.allocate(half, half);
                                each.write(half, MemorySegment.ofArray(data));
                            });
                            return each;
                        }));
            }
            for (Future<?> each : writers) {
                each.get(LATE.toSeconds(), TimeUnit.SECONDS);
            }
            for (TestClient each : List.of(one, other)) {
                each.touch(() -> {
                    MemorySegment all = each.read(0, LIMIT);
                    for (long i = 0; i < LIMIT; i++) {
                        if (all.get(ValueLayout.JAVA_BYTE, i) != 7) {
                            assertEquals(7, all.get(ValueLayout.JAVA_BYTE, i), "byte " + i);
                        }
                    }
                });
            }
        }
    }

    /** What the client has not touched needs no room, and is not there before. */
    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void untouchedMemoryPushesNobodyOut(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, DEVICE);
                TestClient works = filled(node.slice("works", LIMIT), 1);
                TestClient hoards = new TestClient(node.slice("hoards", LIMIT).socket())) {
            hoards.createContext();
            hoards.allocate(0, 40 << 20);
            assertEquals(Result.SUCCESS, hoards.call(new ContextSynchronize()).result());
            add(works, 1);
            assertEquals(0, node.figures().moves());
            assertEquals(0, node.residentOf("hoards"));
        }
    }
}
