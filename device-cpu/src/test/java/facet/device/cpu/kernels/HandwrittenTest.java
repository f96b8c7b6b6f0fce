package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PTX that nvcc does not write. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HandwrittenTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void reductionsWithoutResult(Shape shape) {
        int n = shape.threads() - shape.block() / 3;
        int[] in = gpu.inputs().ints(n);
        long cells = gpu.upload(5, Integer.MIN_VALUE, 9, 0);
        gpu.kernel("handwritten", "reds").shape(shape).run(gpu.upload(in), cells, n);
        int sum = Arrays.stream(in).sum();
        int[] expected = {
            5 + sum,
            Arrays.stream(in).max().getAsInt(),
            Arrays.stream(in).reduce(9, (a, b) -> a ^ b),
            sum
        };
        assertArrayEquals(expected, gpu.ints(cells, 4));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void releaseAndAcquire(int grid) {
        long out = gpu.allocate(4L * grid);
        gpu.kernel("handwritten", "release_acquire")
                .grid(grid)
                .block(32)
                .run(gpu.allocate(4), gpu.allocate(4), gpu.allocate(8), out);
        int[] expected = new int[grid];
        Arrays.fill(expected, 42);
        assertArrayEquals(expected, gpu.ints(out, grid));
    }

    /** The second target falls through to the third. */
    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void jumpTable(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), 0, 3);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("handwritten", "jump_table").shape(shape).run(gpu.upload(in), out);
        int[] expected = new int[in.length];
        Arrays.setAll(expected, i -> i + (in[i] == 0 ? 100 : 302));
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void predicatedExit(Shape shape) {
        int n = shape.block();
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("handwritten", "predicated_exit").shape(shape).run(gpu.upload(in), out);
        int[] expected = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            int[] block = Arrays.copyOfRange(in, i / n * n, i / n * n + n);
            int staying = (int) Arrays.stream(block).filter(v -> v >= 0).count();
            expected[i] = in[i] < 0 ? 0 : staying;
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }
}
