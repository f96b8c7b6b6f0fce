package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Allocate;
import facet.abi.Constants;
import facet.abi.Copy;
import facet.abi.Fill;
import facet.abi.FreeAsync;
import facet.abi.Result;
import facet.abi.Write;
import facet.sched.Eviction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Programs that allocate, free, copy, fill, launch and touch at random, on a device that has no
 * room for all of them and lets nobody stay for long. Each compares its memory with what it must
 * be.
 */
@Timeout(300)
class RandomMovesTest {
    private static final long DEVICE = 16L << 20;
    private static final int PLACES = 4;
    private static final int CELLS = 1 << 20; // of a place; ints
    private static final int STEPS = 300;
    private static final int PROGRAMS = 4;

    /** Everybody leaves as soon as another one wants to come. */
    private static final Eviction RESTLESS = new Eviction(1_000_000, 0, 0);

    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void nothingIsLost(TestNode.Wall wall) throws Exception {
        long seed = Long.getLong("facet.seed", 20261117);
        System.out.println("seed " + seed);
        try (TestNode node = new TestNode(wall, DEVICE, RESTLESS)) {
            AtomicReference<Throwable> wrong = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < PROGRAMS; i++) {
                SliceServer slice = node.slice("slice-" + i, DEVICE);
                Random random = new Random(seed + i);
                threads.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    try (TestClient client = new TestClient(slice.socket())) {
                                        new Program(client, random).run();
                                    } catch (Throwable e) {
                                        wrong.compareAndSet(null, e);
                                    }
                                }));
            }
            boolean within = true;
            for (Thread each : threads) {
                while (!each.join(java.time.Duration.ofMillis(5))) {
                    within &= node.residency().figures().resident() <= DEVICE;
                }
            }
            if (wrong.get() != null) {
                throw new AssertionError("seed " + seed, wrong.get());
            }
            assertTrue(within, "more was resident than the device has");
            System.out.println(node.figures());
            assertTrue(node.figures().moves() > 50, "hardly anything moved");
            long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
            while (node.figures().resident() != 0 && System.nanoTime() < end) {
                Thread.sleep(1);
            }
            assertEquals(0, node.figures().resident());
            assertEquals(0, node.figures().movedOut());
            assertFalse(node.log().contains("broke the protocol"), node.log());
            assertFalse(node.log().contains(" error "), node.log());
        }
    }

    /** One client and what its memory must be. Everything is in the order of one stream. */
    private static final class Program {
        private final TestClient client;
        private final Random random;
        private final int[][] expected = new int[PLACES][];
        private boolean settled = true;

        Program(TestClient client, Random random) {
            this.client = client;
            this.random = random;
        }

        void run() throws Exception {
            client.createContext();
            assertEquals(0, client.load(0, Kernels.ADD).result());
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            settle();
            for (int i = 0; i < PLACES; i++) {
                check(i);
            }
        }

        private static long address(int place) {
            return TestClient.BASE + 4L * CELLS * place;
        }

        private void settle() throws Exception {
            if (!settled) {
                assertEquals(Result.SUCCESS, client.synchronize(0));
                settled = true;
            }
        }

        private void step() throws Exception {
            int place = random.nextInt(PLACES);
            int[] cells = expected[place];
            if (cells == null) {
                take(place);
                return;
            }
            int from = random.nextInt(cells.length);
            int count = 1 + random.nextInt(cells.length - from);
            switch (random.nextInt(12)) {
                case 0 -> free(place, cells.length);
                case 1, 2 -> touch(place, from, count);
                case 3 -> {
                    settle();
                    check(place);
                }
                case 4, 5, 6 -> {
                    int value = random.nextInt();
                    client.launch(
                            0,
                            0,
                            (cells.length + 255) / 256,
                            256,
                            address(place),
                            cells.length,
                            value);
                    for (int i = 0; i < cells.length; i++) {
                        cells[i] += value;
                    }
                    settled = false;
                }
                case 7 -> {
                    int value = random.nextInt();
                    client.post(
                            new Fill(
                                    address(place) + 4L * from, 4L * count, count, 1, value, 4, 0));
                    Arrays.fill(cells, from, from + count, value);
                    settled = false;
                }
                case 8, 9 -> copy(place, from, count);
                case 10 -> {
                    client.post(new Write(address(place) + 4L * from, 0, new byte[] {1, 2, 3, 4}));
                    cells[from] = 0x04030201;
                    settled = false;
                }
                default -> Thread.sleep(random.nextInt(5));
            }
        }

        private void take(int place) throws Exception {
            int count = 64 * (1 + random.nextInt(CELLS / 64));
            client.claim(4L * count);
            client.post(new Allocate(address(place), 4L * count, Constants.MEMORY_DEVICE));
            int[] cells = new int[count];
            expected[place] = cells;
            if (random.nextBoolean()) {
                // At once, before the host has read of it.
                settle();
                touch(place, 0, count);
            } else {
                client.post(new Fill(address(place), 4L * count, count, 1, 7, 4, 0));
                Arrays.fill(cells, 7);
                settled = false;
            }
        }

        /** In stream order, or when all has ended. */
        private void free(int place, int count) throws Exception {
            if (random.nextBoolean()) {
                client.post(new FreeAsync(address(place), 0));
                client.claim(-4L * count);
                settled = false;
            } else {
                settle();
                client.free(address(place), 4L * count);
            }
            expected[place] = null;
        }

        private void copy(int place, int from, int count) throws Exception {
            int other = random.nextInt(PLACES);
            int[] cells = expected[place];
            int[] target = expected[other];
            if (target == null || other == place || target.length < from + count) {
                return;
            }
            client.post(
                    new Copy(
                            address(other) + 4L * from, address(place) + 4L * from, 4L * count, 0));
            System.arraycopy(cells, from, target, from, count);
            settled = false;
        }

        private void touch(int place, int from, int count) throws Exception {
            settle();
            int[] cells = expected[place];
            for (int i = from; i < from + count; i++) {
                cells[i] = random.nextInt();
            }
            client.touch(() ->
                    client.write(
                            4L * CELLS * place + 4L * from,
                            MemorySegment.ofArray(cells).asSlice(4L * from, 4L * count)));
        }

        private void check(int place) throws Exception {
            int[] cells = expected[place];
            if (cells == null) {
                return;
            }
            client.touch(() -> {
                MemorySegment present = client.read(4L * CELLS * place, 4L * cells.length);
                for (int i = 0; i < cells.length; i++) {
                    int cell = present.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
                    if (cell != cells[i]) {
                        assertEquals(cells[i], cell, "place " + place + " cell " + i);
                    }
                }
            });
        }
    }
}
