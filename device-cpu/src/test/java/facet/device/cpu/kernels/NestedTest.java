package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that launch kernels. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NestedTest {
    private static final String PTX = "nested";
    private static final String OLD = "nested_old";

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 300, 3000})
    void allThatWasLaunchedHasEndedWithTheLaunch(int launches) {
        long out = gpu.allocate(4L * 64 * launches);
        gpu.kernel(PTX, "fan").grid((launches + 31) / 32).block(32).run(out, launches);
        assertArrayEquals(
                IntStream.range(0, 64 * launches).toArray(), gpu.ints(out, 64 * launches));
    }

    @Test
    void launchesBelowLaunches() {
        long count = gpu.allocate(4);
        gpu.kernel(PTX, "tree").run(count, 9);
        assertEquals(1023, gpu.ints(count, 1)[0]);
    }

    @Test
    void depthIsBounded() {
        long result = gpu.allocate(8);
        gpu.kernel(PTX, "down").run(result, 0);
        assertArrayEquals(new int[] {24, 65}, gpu.ints(result, 2));
    }

    @Test
    void launchesOfABlockFollowEachOther() {
        long cells = gpu.allocate(4 * 16);
        gpu.kernel(PTX, "in_order").grid(16).run(cells, 12);
        int[] expected = new int[16];
        Arrays.fill(expected, steps(IntStream.range(0, 12).toArray()));
        assertArrayEquals(expected, gpu.ints(cells, 16));
    }

    private static int steps(int... steps) {
        int cell = 0;
        for (int k : steps) {
            cell = cell * 3 + k;
        }
        return cell;
    }

    @Test
    void tailLaunchesComeWhenAllElseHasEnded() {
        int n = 200;
        long cells = gpu.allocate(4L * (n + 1));
        gpu.kernel(PTX, "tail").grid(4).block(64).run(cells, n);
        int all = n * (n - 1) / 2;
        assertEquals(all * 3, gpu.ints(cells, n + 1)[n]);
    }

    @Test
    void aTailMayBeLong() {
        long cell = gpu.allocate(4);
        gpu.kernel(PTX, "again").run(cell, 3000);
        assertEquals(3001, gpu.ints(cell, 1)[0]);
    }

    @Test
    void streamsAndEventsOrderWhatIsInThem() {
        long cells = gpu.allocate(4 * 9);
        long errors = gpu.allocate(4 * 13);
        gpu.kernel(PTX, "streams").run(cells, errors);
        int[] expected = new int[13];
        expected[12] = 400; // destroyed before
        assertArrayEquals(expected, gpu.ints(errors, 13));
        int result = steps(IntStream.range(0, 8).toArray());
        assertArrayEquals(
                new int[] {
                    result, result, 0x11111111, result, 0x11111111, 0x22222222, 0, 0x22222222, 0
                },
                gpu.ints(cells, 9));
    }

    @Test
    void aKernelMayBeChosenByItsAddress() {
        long cell = gpu.upload(5);
        gpu.kernel(PTX, "by_pointer").run(cell);
        assertEquals(22, gpu.ints(cell, 1)[0]);
    }

    @Test
    void argumentsOfAllSizes() {
        long out = gpu.allocate(4 * 64);
        gpu.kernel(PTX, "structures").run(out);
        assertArrayEquals(IntStream.range(0, 64).map(i -> i * i + 7).toArray(), gpu.ints(out, 64));
    }

    @Test
    void dynamicSharedMemory() {
        long out = gpu.allocate(4 * 128);
        gpu.kernel(PTX, "with_shared").run(out, 128);
        assertArrayEquals(IntStream.range(1, 129).toArray(), gpu.ints(out, 128));
    }

    @Test
    void whatCannotBeLaunchedIsAnErrorOfTheThread() {
        long out = gpu.allocate(4 * 45);
        long unused = gpu.allocate(256);
        gpu.kernel(PTX, "errors").run(out, unused);
        int[] found = gpu.ints(out, 45);
        assertArrayEquals(
                new int[] {9, 9, 0, 9, 9, 9, 9, 9, 400, 9, 1, 1, 1}, Arrays.copyOf(found, 13));
        StringBuilder name = new StringBuilder();
        Arrays.stream(found, 13, 45)
                .filter(each -> each != 0)
                .forEach(each -> name.append((char) each));
        assertEquals("cudaErrorInvalidConfiguration", name.toString());
        assertArrayEquals(new int[64], gpu.ints(unused, 64));
    }

    @Test
    void whatTheDeviceIs() {
        long out = gpu.allocate(4 * 10);
        gpu.kernel(PTX, "queries").run(out);
        int[] found = gpu.ints(out, 10);
        int multiprocessors = KernelRunner.device().profile().multiprocessors();
        assertArrayEquals(
                new int[] {0, 32, multiprocessors, 0, 2048, 0, 1024}, Arrays.copyOf(found, 7));
        assertTrue(found[7] >= 1, "blocks of 256 threads on a multiprocessor");
        assertEquals(101, found[8]);
        assertEquals(1, found[9]);
    }

    @Test
    void launchesUnderWayAreBounded() {
        long cells = gpu.allocate(8);
        gpu.context().pendingLaunches(100);
        gpu.kernel(PTX, "many").run(cells, cells + 4, 1000);
        int[] found = gpu.ints(cells, 2);
        gpu.context().pendingLaunches(2048);
        assertEquals(found[0], found[1], "what was taken has run");
        assertTrue(found[1] >= 100 && found[1] <= 1000, "taken: " + found[1]);
    }

    @Test
    void aBlockWaitsForWhatItHasLaunched() {
        int blocks = 40;
        int threads = 64;
        long cells = gpu.allocate(4L * blocks * threads);
        long out = gpu.allocate(4L * blocks * threads);
        gpu.kernel(OLD, "waits").grid(blocks).block(threads).run(cells, out);
        int[] expected = new int[blocks * threads];
        Arrays.setAll(expected, i -> 1000 * (i / threads) + threads - 1 - i % threads);
        assertArrayEquals(expected, gpu.ints(out, blocks * threads));
    }

    @Test
    void blocksWaitAtEveryDepth() {
        long out = gpu.allocate(4);
        gpu.kernel(OLD, "fibonacci").run(out, 9);
        assertEquals(34, gpu.ints(out, 1)[0]);
    }

    @Test
    void gridsSynchroniseByTheirHandle() {
        int threads = 64;
        int blocks = 4;
        int n = threads * blocks;
        long cells = gpu.allocate(4L * n);
        long out = gpu.allocate(4L * n);
        gpu.kernel("grid_handle", "reversed")
                .grid(2, blocks / 2)
                .block(16, 2, 2)
                .cooperative()
                .run(cells, out, 5);
        assertArrayEquals(
                IntStream.range(0, n).map(i -> n - 1 - i + 5).toArray(), gpu.ints(out, n));
    }

    @Test
    void aGridThatIsNotCooperativeHasNoHandle() {
        long out = gpu.allocate(12);
        gpu.kernel("grid_handle", "handle").run(out);
        assertArrayEquals(new int[] {1, 1, 1}, gpu.ints(out, 3));
    }
}
