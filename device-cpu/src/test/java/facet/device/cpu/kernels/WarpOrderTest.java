package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Volatile shared memory and no {@code __syncwarp}: lanes of a warp keep step. */
@ParameterizedClass
@ValueSource(strings = {"warporder", "warporder.sm_100"})
final class WarpOrderTest {
    private static final String WHOLE_POWERS = "facet.device.cpu.kernels.WarpOrderTest#powers";

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    static java.util.stream.Stream<Shape> powers() {
        return Shapes.powers().filter(shape -> shape.block() >= 32);
    }

    /** Sums of so many neighbours each; small numbers, so that floats are exact too. */
    private static int[] sums(int[] in, int width) {
        int[] sums = new int[in.length / width];
        IntStream.range(0, in.length).forEach(i -> sums[i / width] += in[i]);
        return sums;
    }

    private static int[] small(int count) {
        return gpu.inputs().ints(count, -1000, 1000);
    }

    @ParameterizedTest
    @MethodSource(WHOLE_POWERS)
    void sumsOfBlocks(Shape shape) {
        int[] in = small(shape.threads());
        int[] expected = sums(in, shape.block());
        long out = gpu.allocate(4L * shape.grid());
        gpu.kernel(ptx, "sum_int").shape(shape).run(gpu.upload(in), out);
        assertArrayEquals(expected, gpu.ints(out, shape.grid()));
    }

    @ParameterizedTest
    @MethodSource(WHOLE_POWERS)
    void sumsOfBlocksInFloat(Shape shape) {
        int[] in = small(shape.threads());
        float[] floats = new float[in.length];
        IntStream.range(0, in.length).forEach(i -> floats[i] = in[i]);
        int[] sums = sums(in, shape.block());
        float[] expected = new float[sums.length];
        IntStream.range(0, sums.length).forEach(i -> expected[i] = sums[i]);
        long out = gpu.allocate(4L * shape.grid());
        gpu.kernel(ptx, "sum_float").shape(shape).run(gpu.upload(floats), out);
        assertArrayEquals(expected, gpu.floats(out, shape.grid()));
    }

    @ParameterizedTest
    @MethodSource(WHOLE_POWERS)
    void sumsOfBlocksInDouble(Shape shape) {
        int[] in = small(shape.threads());
        double[] expected = Arrays.stream(sums(in, shape.block())).asDoubleStream().toArray();
        long out = gpu.allocate(8L * shape.grid());
        gpu.kernel(ptx, "sum_double")
                .shape(shape)
                .run(gpu.upload(Arrays.stream(in).asDoubleStream().toArray()), out);
        assertArrayEquals(expected, gpu.doubles(out, shape.grid()));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void twoStatementsAStep(Shape shape) {
        int[] in = small(shape.threads());
        long out = gpu.allocate(in.length / 8);
        gpu.kernel(ptx, "sum_in_two_lines").shape(shape).run(gpu.upload(in), out);
        assertArrayEquals(sums(in, 32), gpu.ints(out, in.length / 32));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void fewerLanesEachStep(Shape shape) {
        int[] in = small(shape.threads());
        long out = gpu.allocate(in.length / 8);
        gpu.kernel(ptx, "sum_of_fewer_lanes").shape(shape).run(gpu.upload(in), out);
        assertArrayEquals(sums(in, 32), gpu.ints(out, in.length / 32));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void inFunctionsThatKnowAPointer(Shape shape) {
        int[] in = small(shape.threads());
        long[] expected = Arrays.stream(sums(in, 32)).asLongStream().toArray();
        long out = gpu.allocate(in.length / 4);
        long values = gpu.upload(Arrays.stream(in).asLongStream().toArray());
        gpu.kernel(ptx, "sum_by_pointer").shape(shape).run(values, out, 0L);
        assertArrayEquals(expected, gpu.longs(out, expected.length));
        long elsewhere = gpu.allocate(8 * (1024 + 16));
        gpu.kernel(ptx, "sum_by_pointer").block(shape.block()).run(values, out, elsewhere);
        int warps = shape.block() / 32;
        assertArrayEquals(Arrays.copyOf(expected, warps), gpu.longs(out, warps));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void lanesWaitForTheLongestRow(Shape shape) {
        int threads = shape.threads();
        int[] lengths = gpu.inputs().ints(threads, 0, 40);
        lengths[gpu.inputs().below(threads)] = 3000;
        int[] in = small(1000);
        int[] rows = new int[threads];
        for (int i = 0; i < threads; i++) {
            for (int k = 0; k < lengths[i]; k++) {
                rows[i] += in[(i * 7 + k) % in.length];
            }
        }
        long out = gpu.allocate(threads / 8);
        gpu.kernel(ptx, "sum_of_ragged_rows")
                .shape(shape)
                .run(gpu.upload(lengths), gpu.upload(in), out, in.length);
        assertArrayEquals(sums(rows, 32), gpu.ints(out, threads / 32));
    }

    private static int[] inclusive(int[] in) {
        int[] expected = in.clone();
        for (int i = 0; i < in.length; i++) {
            expected[i] += i % 32 == 0 ? 0 : expected[i - 1];
        }
        return expected;
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void scanWithGuards(Shape shape) {
        int[] in = small(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "scan_guarded").shape(shape).run(gpu.upload(in), out);
        assertArrayEquals(inclusive(in), gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void scanBehindZeros(Shape shape) {
        int[] in = small(shape.threads());
        float[] floats = new float[in.length];
        float[] expected = new float[in.length];
        int[] sums = inclusive(in);
        for (int i = 0; i < in.length; i++) {
            floats[i] = in[i];
            expected[i] = sums[i];
        }
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "scan_padded").shape(shape).run(gpu.upload(floats), out);
        assertArrayEquals(expected, gpu.floats(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void countersByTag(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), 0, 16);
        int[] expected = new int[in.length / 2];
        IntStream.range(0, in.length).forEach(i -> expected[i / 32 * 16 + in[i]]++);
        long out = gpu.allocate(2L * in.length);
        gpu.kernel(ptx, "tagged_histogram").shape(shape).run(gpu.upload(in), out);
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void waitingLoopsStillEnd(Shape shape) {
        long out = gpu.allocate(4L * shape.threads());
        gpu.kernel(ptx, "wait_for_flag").shape(shape).run(out, 2000);
        int[] expected = new int[shape.threads()];
        Arrays.fill(expected, 7);
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64})
    void aLaneThatWentOnAnswers(int block) {
        long out = gpu.allocate(block / 8);
        gpu.kernel(ptx, "ask_and_answer").block(block).run(out);
        int[] expected = new int[block / 32];
        Arrays.fill(expected, 9);
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    /** For newer devices the compiler takes the steps out, since no two places are the same. */
    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void plainSumsBySteps(Shape shape) {
        int[] in = small(shape.threads());
        float[] floats = new float[in.length];
        float[] expected = new float[in.length];
        int[] sums = sums(in, 32);
        for (int i = 0; i < in.length; i++) {
            floats[i] = in[i];
            expected[i] = sums[i / 32];
        }
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("warporder", "butterfly").shape(shape).run(gpu.upload(floats), out);
        assertArrayEquals(expected, gpu.floats(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void plainPermutationInPlace(Shape shape) {
        int[] to = new int[shape.threads()];
        int[] expected = new int[to.length];
        int odd = 2 * gpu.inputs().below(16) + 1;
        for (int i = 0; i < to.length; i++) {
            to[i] = (i * odd + 5) % 32;
            expected[(i & ~31) + to[i]] = 6 * i;
        }
        long out = gpu.allocate(4L * to.length);
        gpu.kernel(ptx, "permute").shape(shape).run(gpu.upload(to), out);
        assertArrayEquals(expected, gpu.ints(out, to.length));
    }

    /** Neither volatile nor with a barrier between load and store, over several warps. */
    @ParameterizedTest
    @MethodSource(WHOLE_POWERS)
    void numbersMoveFromThreadToThread(Shape shape) {
        int rounds = shape.block() + 20;
        int behind = shape.block() - 1;
        int[] in = small(shape.grid() * rounds);
        int[] expected = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            int round = i % rounds;
            // At first come the zeros that threads hold in the beginning, counted up on their way.
            expected[i] = round < behind ? round : in[i - behind] + behind;
        }
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "pipeline")
                .shape(shape)
                .shared(4 * shape.block())
                .run(rounds, gpu.upload(in), out);
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void plainNeighboursInALine(Shape shape) {
        int rounds = 40;
        int[] in = small(rounds);
        int[] expected = new int[shape.threads()];
        Arrays.setAll(expected, i -> in[rounds - 1 - i % 32] + i % 32 + 1);
        long out = gpu.allocate(4L * expected.length);
        gpu.kernel(ptx, "delay_line").shape(shape).run(gpu.upload(in), out, rounds);
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 40})
    void oneCollectsWhatAllWrote(int grid) {
        int[] in = small(64 * grid);
        int[] expected = new int[grid];
        for (int block = 0; block < grid; block++) {
            int[] sums = new int[17];
            for (int i = 0; i < 64; i++) {
                sums[i % 17] += in[64 * block + i];
            }
            for (int each : sums) {
                expected[block] = 3 * expected[block] + each;
            }
        }
        long out = gpu.allocate(4L * grid);
        gpu.kernel(ptx, "collect").grid(grid).block(32).shared(4 * 17).run(gpu.upload(in), out);
        assertArrayEquals(expected, gpu.ints(out, grid));
    }
}
