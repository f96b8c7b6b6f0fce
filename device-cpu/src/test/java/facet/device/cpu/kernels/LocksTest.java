package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks and lanes that wait for others: all that have started must make progress. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LocksTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @CsvSource({"1,1,10", "3,32,50", "40,33,20", "200,64,5"})
    void lockBetweenBlocks(int grid, int block, int rounds) {
        long lock = gpu.allocate(4);
        long guarded = gpu.upload(0L, 1L);
        gpu.kernel("locks", "spin_lock").grid(grid).block(block).run(lock, guarded, rounds);
        long product = 1;
        for (int k = 0; k < grid * rounds; k++) {
            product = product * 3 % 1_000_003;
        }
        assertArrayEquals(new long[] {(long) grid * rounds, product}, gpu.longs(guarded, 2));
        assertEquals(0, gpu.ints(lock, 1)[0]);
    }

    /** Lanes of one warp take the lock one after the other. */
    @ParameterizedTest
    @CsvSource({"1,1", "1,32", "3,33", "10,100"})
    void lockBetweenLanes(int grid, int block) {
        long lock = gpu.allocate(4);
        long guarded = gpu.allocate(4);
        gpu.kernel("locks", "lane_lock").grid(grid).block(block).run(lock, guarded);
        assertEquals(grid * block, gpu.ints(guarded, 1)[0]);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void blocksInTheOrderOfTheirTickets(int grid) {
        long order = gpu.allocate(4L * grid);
        long out = gpu.allocate(4L * grid);
        gpu.kernel("locks", "chained_blocks")
                .grid(grid)
                .block(64)
                .run(gpu.allocate(4), gpu.allocate(4), order, out);
        int[] expected = new int[grid];
        expected[0] = 1;
        for (int k = 1; k < grid; k++) {
            expected[k] = expected[k - 1] * 5 + k;
        }
        assertArrayEquals(expected, gpu.ints(out, grid));
        int[] blocks = gpu.ints(order, grid);
        Arrays.sort(blocks);
        assertArrayEquals(IntStream.range(0, grid).toArray(), blocks);
    }

    @ParameterizedTest
    @CsvSource({"1,32", "3,31", "50,64", "30,100", "20,256", "5,1024"})
    void lookBackScan(int grid, int block) {
        int n = grid * block - block / 3;
        int[] in = gpu.inputs().ints(n);
        long out = gpu.allocate(4L * n);
        gpu.kernel("locks", "lookback_scan")
                .grid(grid)
                .block(block)
                .shared(4 * block)
                .run(gpu.upload(in), out, gpu.allocate(8L * grid), gpu.allocate(4), n);
        assertArrayEquals(ScanTest.inclusive(in, n), gpu.ints(out, n));
    }

    /** Twice: the counter of arrivals wraps to 0. */
    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void lastBlockAddsUp(Shape shape) {
        int[] in = gpu.inputs().ints(5000);
        long partial = gpu.allocate(4L * shape.grid());
        long input = gpu.upload(in);
        for (int round = 0; round < 2; round++) {
            long out = gpu.allocate(4);
            gpu.kernel("locks", "last_block").shape(shape).run(input, in.length, partial, out);
            assertEquals(Arrays.stream(in).sum(), gpu.ints(out, 1)[0]);
        }
    }
}
