package facet.node.worker;

import static facet.node.server.Patience.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Result;
import facet.node.server.Kernels;
import facet.node.server.SliceServer;
import facet.node.server.TestClient;
import facet.node.server.TestNode;
import facet.node.server.TestNode.Wall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers that are given to another slice when theirs has gone. */
@Timeout(300)
class KeptWorkersTest {
    private static final int SECRET = 0x5ec4e7;
    private static final Keeping LONG = Keeping.usual(Duration.ofMinutes(5));

    /** dump(out, value): what a thread finds in shared memory; then it leaves the value there. */
    private static final String SHARED =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry dump(.param .u64 out, .param .u32 value)
            {
                .reg .b32 %r<8>; .reg .b64 %rd<8>;
                .shared .align 4 .b8 room[4096];
                ld.param.u64 %rd0, [out];
                ld.param.u32 %r0, [value];
                mov.u32 %r1, %tid.x;
                mul.wide.u32 %rd1, %r1, 4;
                mov.u64 %rd2, room;
                add.s64 %rd3, %rd2, %rd1;
                ld.shared.u32 %r2, [%rd3];
                add.s64 %rd4, %rd0, %rd1;
                st.global.u32 [%rd4], %r2;
                st.shared.u32 [%rd3], %r0;
                ret;
            }
            """;

    private static boolean lives(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /** Runs a program in a slice, and ends both. */
    private static long served(SliceServer slice) throws Exception {
        long worker = computed(slice);
        slice.close();
        return worker;
    }

    private static long computed(SliceServer slice) throws Exception {
        long worker;
        try (TestClient client = TestClient.withContext(slice)) {
            client.allocate(0, 4096);
            assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
            client.launch(0, 0, 4, 256, TestClient.BASE, 1000, 1);
            assertEquals(Result.SUCCESS, client.synchronize(0));
            assertEquals(1, client.get(4 * 999));
            worker = TestNode.worker(slice);
        }
        await(() -> slice.sessions().isEmpty(), "its session stays");
        return worker;
    }

    private static long kept(TestNode node, String slice) throws Exception {
        long worker = served(node.slice(slice));
        await(() -> node.workers().keptWorkers() == 1, "it is not kept");
        return worker;
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "CONFINED"})
    void onlyWhoMayFindItsCodeGetsAWorker(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, LONG)) {
            SliceServer nameless = node.slice("nameless");
            long of = served(nameless);
            await(() -> !lives(of), "it stays, though nobody may have it");
            node.codeName("user 1");
            long first = kept(node, "one");
            node.codeName("user 2");
            SliceServer stranger = node.slice("one");
            assertNotEquals(first, computed(stranger));
            assertTrue(lives(first));
            node.codeName("user 1");
            SliceServer again = node.slice("two");
            assertEquals(first, computed(again));
            assertEquals(0, node.workers().keptWorkers());
            // It has a slice: nobody else gets it.
            assertNotEquals(first, computed(node.slice("three")));
        }
        await(() -> ProcessHandle.current().children().count() == 0, "workers are left behind");
    }

    @Test
    void theOneWithTheSameSliceComesFirst() throws Exception {
        try (TestNode node = new TestNode(Wall.PROCESS, LONG)) {
            node.codeName("user 1");
            SliceServer one = node.slice("one");
            SliceServer two = node.slice("two");
            long first = computed(one);
            long second = computed(two);
            one.close();
            two.close();
            await(() -> node.workers().keptWorkers() == 2, "they are not kept");
            assertEquals(first, computed(node.slice("one")));
            assertEquals(second, computed(node.slice("three")));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "CONFINED"})
    void theLimitsOfTheNewSliceHold(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, LONG)) {
            node.codeName("user 1");
            SliceServer large = node.slice("large", 64L << 20);
            try (TestClient client = TestClient.withContext(large)) {
                client.allocate(0, 32L << 20);
                assertEquals(Result.SUCCESS, client.synchronize(0));
            }
            long worker = served(large);
            await(() -> node.workers().keptWorkers() == 1, "it is not kept");
            SliceServer small = node.slice("small", 8L << 20);
            try (TestClient honest = TestClient.withContext(small)) {
                assertEquals(worker, TestNode.worker(small));
                assertEquals(8L << 20, honest.limit());
                assertEquals(0, honest.taken());
                honest.allocate(0, 4L << 20);
                assertEquals(Result.SUCCESS, honest.synchronize(0));
                small.ask().await(System.nanoTime() + TestClient.PATIENCE.toNanos());
                assertEquals(4L << 20, small.memoryUsed());
                assertEquals(0, small.launches(), "what the slice before has launched");
                assertEquals(0, small.faults());
                assertEquals(4L << 20, node.residentOf("small"));
                assertEquals(0, node.residentOf("large"));
            }
            try (TestClient greedy = TestClient.withContext(small)) {
                greedy.allocate(0, 16L << 20);
                assertTrue(greedy.isEnded(), "it has more than its slice");
            }
        }
    }

    @Test
    void nothingOfTheSliceBeforeCanBeRead() throws Exception {
        try (TestNode node = new TestNode(Wall.PROCESS, LONG)) {
            node.codeName("user 1");
            SliceServer first = node.slice("one");
            try (TestClient client = TestClient.withContext(first)) {
                client.allocate(0, 1 << 20);
                assertEquals(Result.SUCCESS, client.load(0, SHARED).result());
                for (int i = 0; i < 1 << 20; i += 4096) {
                    client.set(i, SECRET);
                }
                assertEquals(0, dump(client, 1), "nobody was here before");
                int found = 0;
                for (int i = 0; i < 100 && found != SECRET; i++) {
                    found = dump(client, 64);
                }
                assertEquals(SECRET, found, "the same program finds what it left");
            }
            long worker = served(first);
            await(() -> node.workers().keptWorkers() == 1, "it is not kept");
            SliceServer second = node.slice("two");
            try (TestClient client = TestClient.withContext(second)) {
                assertEquals(worker, TestNode.worker(second));
                client.allocate(0, 1 << 20);
                assertEquals(Result.SUCCESS, client.load(0, SHARED).result());
                for (int i = 0; i < 1 << 20; i += 4096) {
                    assertEquals(0, client.get(i));
                }
                assertEquals(0, dump(client, 1));
            }
        }
    }

    /** What a thread of one of the blocks finds in shared memory; all of them leave the secret. */
    private static int dump(TestClient client, int blocks) throws Exception {
        client.launch(0, 0, blocks, 1024, TestClient.BASE + (512 << 10), SECRET);
        assertEquals(Result.SUCCESS, client.synchronize(0));
        return client.get((512 << 10) + 4 * 17);
    }

    @Test
    void whoComesAgainAndAgainLeavesNothingBehind() throws Exception {
        try (TestNode node = new TestNode(Wall.PROCESS, LONG)) {
            node.codeName("user 1");
            long worker = kept(node, "slice0");
            long files = files(worker);
            long threads = threads(worker);
            for (int i = 1; i <= 4; i++) {
                assertEquals(worker, kept(node, "slice" + i));
            }
            assertEquals(files, files(worker), "descriptors of slices that have gone");
            assertTrue(threads(worker) <= threads + 2, "threads of slices that have gone");
        }
    }

    private static long files(long pid) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return all.count();
        }
    }

    private static long threads(long pid) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return all.count();
        }
    }

    // ---- who is not kept

    @Test
    void nobodyGetsAWorkerWithAFault() throws Exception {
        try (TestNode node = new TestNode(Wall.PROCESS, LONG)) {
            node.codeName("user 1");
            SliceServer slice = node.slice("one");
            long worker;
            try (TestClient client = TestClient.withContext(slice)) {
                worker = TestNode.worker(slice);
                client.allocate(0, 4096);
                assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
                client.launch(0, 0, 1, 32, 4096L, 32, 1);
                assertNotEquals(Result.SUCCESS, client.synchronize(0));
            }
            await(() -> slice.faults() == 1, "the fault was not told");
            slice.close();
            await(() -> !lives(worker), "it stays");
            assertEquals(0, node.workers().keptWorkers());
        }
    }

    @Test
    void nobodyGetsAWorkerWhoseProgramBrokeTheProtocol() throws Exception {
        try (TestNode node = new TestNode(Wall.PROCESS, LONG)) {
            node.codeName("user 1");
            SliceServer slice = node.slice("one");
            long worker;
            try (TestClient client = TestClient.withContext(slice)) {
                worker = TestNode.worker(slice);
                client.allocate(0, 4096);
                client.allocate(0, 4096);
                assertTrue(client.isEnded());
            }
            await(() -> slice.faults() == 1, "it was not told");
            slice.close();
            await(() -> !lives(worker), "it stays");
            assertEquals(0, node.workers().keptWorkers());
        }
    }

    /** A session that does not end costs the worker, also when its slice ends. */
    @Test
    void nobodyGetsAWorkerThatHangs() throws Exception {
        try (TestNode node = new TestNode(Wall.PROCESS, LONG)) {
            node.codeName("user 1");
            SliceServer slice = node.slice("one");
            try (TestClient _ = TestClient.withContext(slice)) {
                long worker = TestNode.worker(slice);
                signal("STOP", worker);
                slice.close();
                await(() -> !lives(worker), "it stays");
            }
            assertEquals(0, node.workers().keptWorkers());
            assertTrue(computed(node.slice("two")) > 0);
        }
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor());
    }

    // ---- the end of one that is kept

    @Test
    void oneThatWasKilledIsNotHandedOut() throws Exception {
        try (TestNode node = new TestNode(Wall.PROCESS, LONG)) {
            node.codeName("user 1");
            long first = kept(node, "one");
            signal("KILL", first);
            await(() -> !lives(first), "it lives");
            assertNotEquals(first, computed(node.slice("one")));
            assertFalse(node.log().contains("died with"), node.log());
        }
    }

    /** It looks well from outside; the program waits for a while and gets a new one. */
    @Test
    void oneThatDoesNotBeginIsReplaced() throws Exception {
        try (TestNode node = new TestNode(Wall.PROCESS, LONG)) {
            node.codeName("user 1");
            long first = kept(node, "one");
            signal("STOP", first);
            assertNotEquals(first, computed(node.slice("one")));
            await(() -> !lives(first), "it stays");
            assertTrue(node.log().contains("a kept worker is no use"), node.log());
        }
    }

    @Test
    void itsTimeEnds() throws Exception {
        try (TestNode node = new TestNode(Wall.PROCESS, Keeping.usual(Duration.ofMillis(1500)))) {
            node.codeName("user 1");
            long first = kept(node, "one");
            await(() -> !lives(first), "it stays");
            assertEquals(0, node.workers().keptWorkers());
        }
    }

    @Test
    void whenMemoryIsScarceNoneIsKept() throws Exception {
        AtomicBoolean scarce = new AtomicBoolean();
        Keeping keeping = new Keeping(LONG.time(), LONG.processor(), LONG.memory(), scarce::get);
        try (TestNode node = new TestNode(Wall.PROCESS, keeping)) {
            node.codeName("user 1");
            long first = kept(node, "one");
            scarce.set(true);
            await(() -> !lives(first), "it stays");
            long second = served(node.slice("one"));
            await(() -> !lives(second), "it stays");
            assertEquals(0, node.workers().keptWorkers());
        }
    }

    @Test
    void oneThatWorksForNobodyOrHasMuchEnds() throws Exception {
        for (Keeping keeping :
                new Keeping[] {
                    new Keeping(LONG.time(), Duration.ZERO, LONG.memory(), LONG.scarce()),
                    new Keeping(LONG.time(), LONG.processor(), 1 << 20, LONG.scarce())
                }) {
            try (TestNode node = new TestNode(Wall.PROCESS, keeping)) {
                node.codeName("user 1");
                long worker = served(node.slice("one"));
                await(() -> !lives(worker), "it stays");
            }
        }
    }
}
