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

/** Cooperative groups, from tiles to the grid. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class GroupsTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void block(Shape shape) {
        int n = shape.block();
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("groups", "block_group").shape(shape).shared(4 * n).run(gpu.upload(in), out);
        int[] expected = new int[in.length];
        Arrays.setAll(expected, i -> in[i / n * n + n - 1 - i % n] + i % n);
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 16, 8})
    void tiles(int size) {
        for (Shape shape : Shapes.warps().toList()) {
            int[] in = gpu.inputs().ints(shape.threads());
            long out = gpu.allocate(4L * in.length);
            long leaders = gpu.allocate(4L * in.length);
            gpu.kernel("groups", "tile_" + size).shape(shape).run(gpu.upload(in), out, leaders);
            int[] sums = new int[in.length / size];
            IntStream.range(0, in.length).forEach(i -> sums[i / size] += in[i]);
            int[] expected = new int[in.length];
            Arrays.setAll(expected, i -> sums[i / size]);
            assertArrayEquals(expected, gpu.ints(out, in.length), shape.toString());
            Arrays.setAll(expected, i -> i / size * size + i % size * 1_000_000);
            assertArrayEquals(expected, gpu.ints(leaders, in.length), shape.toString());
        }
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void tilesThatDiverge(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), 0, 100);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("groups", "tile_divergent").shape(shape).run(gpu.upload(in), out);
        int[] expected = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            int tile = i / 8 * 8;
            int rank = i % shape.block() / 8;
            int any = IntStream.range(tile, tile + 8).anyMatch(k -> in[k] > 90) ? 2 : 0;
            int all = IntStream.range(tile, tile + 8).allMatch(k -> in[k] > 10) ? 1 : 0;
            expected[i] =
                    rank % 2 == 1 ? any + all : VoteTest.ballot(8, l -> in[tile + l] % 2 == 1);
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void coalesced(Shape shape) {
        int n = shape.threads() - shape.block() / 3;
        int[] in = gpu.inputs().ints(n, 0, 100);
        int[] expected = Arrays.stream(in).filter(v -> v % 3 == 0).sorted().toArray();
        long out = gpu.allocate(4L * n);
        long counter = gpu.allocate(4);
        gpu.kernel("groups", "coalesced").shape(shape).run(gpu.upload(in), out, counter, n);
        assertEquals(expected.length, gpu.ints(counter, 1)[0]);
        int[] found = gpu.ints(out, expected.length);
        Arrays.sort(found);
        assertArrayEquals(expected, found);
    }

    @ParameterizedTest
    @CsvSource({"1,32", "2,33", "3,64", "8,100", "4,256"})
    void gridSyncInALoop(int grid, int block) {
        int n = 1000;
        int iterations = 7;
        int[] from = gpu.inputs().ints(n, -100, 100);
        long a = gpu.upload(from);
        long b = gpu.allocate(4L * n);
        gpu.kernel("gridsync", "jacobi")
                .grid(grid)
                .block(block)
                .cooperative()
                .run(a, b, n, iterations);
        for (int k = 0; k < iterations; k++) {
            int[] before = from;
            int[] after = new int[n];
            Arrays.setAll(
                    after,
                    i -> (i > 0 ? before[i - 1] : 0) + (i + 1 < n ? before[i + 1] : 0) - before[i]);
            from = after;
        }
        assertArrayEquals(from, gpu.ints(b, n));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "3,31", "4,128", "8,64"})
    void gridSum(int grid, int block) {
        int[] in = gpu.inputs().ints(3000, 0, 1000);
        long partial = gpu.allocate(4L * grid);
        long out = gpu.allocate(4);
        gpu.kernel("gridsync", "grid_sum")
                .grid(grid)
                .block(block)
                .cooperative()
                .run(gpu.upload(in), in.length, partial, out);
        int total = Arrays.stream(in).sum();
        int[] expected = new int[grid];
        Arrays.fill(expected, total);
        IntStream.range(0, in.length).forEach(i -> expected[i % (grid * block) / block] -= in[i]);
        assertEquals(total, gpu.ints(out, 1)[0]);
        assertArrayEquals(expected, gpu.ints(partial, grid));
    }
}
