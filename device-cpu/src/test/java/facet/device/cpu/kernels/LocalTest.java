package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Local arrays whose index is known only at run time. */
final class LocalTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void bins(Shape shape) {
        int count = 20;
        int[] in = gpu.inputs().ints(count * shape.threads());
        long out = gpu.allocate(4L * shape.threads());
        gpu.kernel("local", "local_histogram").shape(shape).run(gpu.upload(in), out, count);
        int[] expected = new int[shape.threads()];
        for (int i = 0; i < expected.length; i++) {
            int[] bins = new int[16];
            for (int k = 0; k < count; k++) {
                bins[in[i * count + k] & 15]++;
            }
            int best = 0;
            for (int b = 1; b < 16; b++) {
                best = bins[b] > bins[best] ? b : best;
            }
            expected[i] = best * 1000 + bins[best];
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    /** ((x * 3 + 5) * x) with the operands swapped on the way. */
    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void stackMachine(Shape shape) {
        int[] program = {-4, 3, -2, 5, -3, -1, -4, -3, -2};
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("local", "stack_machine")
                .shape(shape)
                .run(gpu.upload(program), program.length, gpu.upload(in), out);
        int[] expected = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            expected[i] = (in[i] * 3 + 5) * in[i];
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 40})
    void acrossBarriers(int grid) {
        int[] in = gpu.inputs().ints(64);
        long out = gpu.allocate(8L * 64 * grid);
        gpu.kernel("local", "local_barrier").grid(grid).block(64).run(gpu.upload(in), out);
        double[][] mine = new double[64][8];
        int[] turn = new int[64];
        for (int t = 0; t < 64; t++) {
            for (int k = 0; k < 8; k++) {
                mine[t][in[(t + k) & 63] & 7] = t + k * 0.5;
                mine[t][k] = k + t;
            }
            turn[t] = in[t] & 7;
        }
        for (int round = 0; round < 4; round++) {
            int[] before = turn.clone();
            for (int t = 0; t < 64; t++) {
                int index = before[(t + round) & 63];
                mine[t][index] += round + 1;
                turn[t] = (index + t) & 7;
            }
        }
        double[] expected = new double[64 * grid];
        for (int i = 0; i < expected.length; i++) {
            for (int k = 0; k < 8; k++) {
                expected[i] = expected[i] * 2 + mine[i % 64][k];
            }
        }
        assertArrayEquals(expected, gpu.doubles(out, expected.length));
    }
}
