package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"reduce", "reduce.sm_100", "reduce.sm_100.untyped"})
final class ReduceTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void sumOfWarps(Shape shape) {
        int n = shape.threads() - gpu.inputs().below(31);
        int[] in = gpu.inputs().ints(n);
        int warps = shape.threads() / 32;
        long out = gpu.allocate(4L * warps);
        gpu.kernel(ptx, "warp_sum").shape(shape).run(gpu.upload(in), out, n);
        int[] expected = new int[warps];
        IntStream.range(0, n).forEach(i -> expected[i / 32] += in[i]);
        assertArrayEquals(expected, gpu.ints(out, warps));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void butterflyOfFloats(Shape shape) {
        float[] in = gpu.inputs().floats(shape.threads(), -1, 1);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "warp_sum_float").shape(shape).run(gpu.upload(in), out);
        float[] expected = in.clone();
        for (int offset = 16; offset > 0; offset /= 2) {
            float[] before = expected.clone();
            for (int i = 0; i < expected.length; i++) {
                expected[i] = before[i] + before[i ^ offset];
            }
        }
        assertArrayEquals(expected, gpu.floats(out, in.length));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "31,31", "32,7", "33,33", "64,40", "100,99", "256,200", "1024,1001"})
    void sumOverPartOfTheLanes(int block, int n) {
        int[] in = gpu.inputs().ints(n);
        int warps = (n + 31) / 32;
        long out = gpu.allocate(4L * warps);
        gpu.kernel(ptx, "masked_sum").block(block).run(gpu.upload(in), out, n);
        int[] expected = new int[warps];
        IntStream.range(0, n).forEach(i -> expected[i / 32] += in[i]);
        assertArrayEquals(expected, gpu.ints(out, warps));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void oddAndEvenLanesApart(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "odd_even_sum").shape(shape).run(gpu.upload(in), out);
        int[] sums = new int[in.length / 16];
        IntStream.range(0, in.length).forEach(i -> sums[i / 32 * 2 + i % 2] += in[i]);
        int[] expected = new int[in.length];
        Arrays.setAll(expected, i -> i % 2 == 0 ? sums[i / 32 * 2] : -sums[i / 32 * 2 + 1]);
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    /** A shuffle beyond its segment of 8 lanes gives the lane's own value. */
    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void segmentsOfEight(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        long broadcast = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "segment_sum").shape(shape).run(gpu.upload(in), out, broadcast);
        int[] expected = in.clone();
        for (int offset = 4; offset > 0; offset /= 2) {
            int[] before = expected.clone();
            for (int i = 0; i < expected.length; i++) {
                expected[i] += before[i % 8 + offset < 8 ? i + offset : i];
            }
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
        int[] leaders = new int[in.length];
        Arrays.setAll(leaders, i -> expected[i / 8 * 8]);
        assertArrayEquals(leaders, gpu.ints(broadcast, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void sumOfBlocks(Shape shape) {
        int n = 2 * shape.threads() + gpu.inputs().below(shape.threads());
        long[] in = gpu.inputs().longs(n);
        long out = gpu.allocate(8L * shape.grid());
        gpu.kernel(ptx, "block_sum").shape(shape).run(gpu.upload(in), out, n);
        long[] expected = new long[shape.grid()];
        IntStream.range(0, n).forEach(i -> expected[i % shape.threads() / shape.block()] += in[i]);
        assertArrayEquals(expected, gpu.longs(out, shape.grid()));
    }

    @ParameterizedTest
    @MethodSource(Shapes.POWERS)
    void halvingInSharedMemory(Shape shape) {
        float[] in = gpu.inputs().floats(shape.threads(), -1000, 1000);
        long out = gpu.allocate(4L * shape.grid());
        gpu.kernel(ptx, "shared_sum")
                .shape(shape)
                .shared(4 * shape.block())
                .run(gpu.upload(in), out);
        float[] expected = new float[shape.grid()];
        for (int b = 0; b < shape.grid(); b++) {
            float[] tree = Arrays.copyOfRange(in, b * shape.block(), (b + 1) * shape.block());
            for (int half = shape.block() / 2; half > 0; half /= 2) {
                for (int t = 0; t < half; t++) {
                    tree[t] += tree[t + half];
                }
            }
            expected[b] = tree[0];
        }
        assertArrayEquals(expected, gpu.floats(out, shape.grid()));
    }
}
