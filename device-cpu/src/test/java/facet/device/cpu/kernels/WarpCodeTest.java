package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Code that relies on what a warp is. */
final class WarpCodeTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void volatileSum(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("warpcode", "volatile_sum").shape(shape).run(gpu.upload(in), out);
        int[] sums = new int[in.length / 32];
        IntStream.range(0, in.length).forEach(i -> sums[i / 32] += in[i]);
        int[] expected = new int[in.length];
        Arrays.setAll(expected, i -> sums[i / 32]);
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void handOver(Shape shape) {
        long out = gpu.allocate(4L * shape.threads());
        gpu.kernel("warpcode", "hand_over").shape(shape).run(out);
        int[] expected = new int[shape.threads()];
        for (int i = 0; i < expected.length; i++) {
            for (int k = 0; k < 20 && i % 32 < 20; k++) {
                expected[i] = expected[i] * 3 + k * 100 + i % shape.block() / 32;
            }
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void warpsWithDifferentTrips(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("warpcode", "ragged_warps").shape(shape).run(gpu.upload(in), out);
        int[] expected = in.clone();
        for (int start = 0; start < in.length; start += 32) {
            for (int k = 0; k <= start % shape.block() / 32; k++) {
                int[] before = Arrays.copyOfRange(expected, start, start + 32);
                for (int lane = 0; lane < 32; lane++) {
                    expected[start + lane] = before[(lane + 1) % 32] * 3 + k;
                }
            }
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    /** The lane asked for is taken modulo the width; doubles go as two halves. */
    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void gather(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), -1000, 1000);
        int[] from = gpu.inputs().ints(shape.threads(), 0, 64);
        long out = gpu.allocate(8L * in.length);
        gpu.kernel("warpcode", "gather").shape(shape).run(gpu.upload(in), gpu.upload(from), out);
        int[] expected = new int[2 * in.length];
        for (int i = 0; i < in.length; i++) {
            expected[2 * i] = in[(i & ~31) + from[i] % 32];
            expected[2 * i + 1] = in[(i & ~7) + from[i] % 8] * 2;
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }
}
