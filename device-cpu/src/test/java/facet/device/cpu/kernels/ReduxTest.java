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

/** {@code redux.sync}. */
@ParameterizedClass
@ValueSource(strings = {"redux", "redux.sm_100"})
final class ReduxTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void everyOperation(Shape shape) {
        int[] in = gpu.inputs().mixedInts(shape.threads());
        long out = gpu.allocate(32L * in.length);
        gpu.kernel(ptx, "redux_all").shape(shape).run(gpu.upload(in), out);
        int[] expected = new int[8 * in.length];
        for (int i = 0; i < in.length; i++) {
            int[] warp = Arrays.copyOfRange(in, i & ~31, (i & ~31) + 32);
            int sum = Arrays.stream(warp).sum();
            int[] row = {
                sum,
                Arrays.stream(warp).min().getAsInt(),
                Arrays.stream(warp).max().getAsInt(),
                sum,
                Arrays.stream(warp).reduce(warp[0], (a, b) -> below(a, b) ? a : b),
                Arrays.stream(warp).reduce(warp[0], (a, b) -> below(a, b) ? b : a),
                Arrays.stream(warp).reduce(-1, (a, b) -> a & (b | 0xf0f0)),
                Arrays.stream(warp).reduce(0, (a, b) -> a | (b & 0xff00))
                        ^ Arrays.stream(warp).reduce(0, (a, b) -> a ^ b)
            };
            System.arraycopy(row, 0, expected, 8 * i, 8);
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    private static boolean below(int a, int b) {
        return Integer.compareUnsigned(a, b) < 0;
    }

    /** Lanes 0, 3, 6… add, 1, 4, 7… take the largest, 2, 5, 8… the smallest. */
    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void threeBranches(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "redux_divergent").shape(shape).run(gpu.upload(in), out);
        int[] expected = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            int third = i % 32 % 3;
            int warp = i & ~31;
            IntStream peers =
                    IntStream.range(0, 32).filter(l -> l % 3 == third).map(l -> in[warp + l]);
            expected[i] =
                    switch (third) {
                        case 0 -> peers.sum();
                        case 1 -> peers.max().getAsInt();
                        default -> peers.min().getAsInt();
                    };
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }
}
