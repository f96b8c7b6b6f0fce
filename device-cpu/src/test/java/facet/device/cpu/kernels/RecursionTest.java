package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RecursionTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    /** Neighbouring threads recurse to different depths. */
    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 100})
    void fibonacci(int block) {
        int n = 3 * block - block / 2;
        int[] in = gpu.inputs().ints(n, 0, 15);
        long out = gpu.allocate(4L * n);
        gpu.kernel("recursion", "fibonacci").grid(3).block(block).run(gpu.upload(in), out, n);
        assertArrayEquals(Arrays.stream(in).map(RecursionTest::fib).toArray(), gpu.ints(out, n));
    }

    private static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    @Test
    void ackermann() {
        int[] m = {0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3};
        int[] n = {0, 7, 0, 3, 9, 0, 1, 4, 6, 0, 1, 3};
        int[] expected = {1, 8, 2, 5, 11, 3, 5, 11, 15, 5, 13, 61};
        long out = gpu.allocate(4L * m.length);
        gpu.kernel("recursion", "ackermann_small")
                .block(32)
                .run(gpu.upload(m), gpu.upload(n), out, m.length);
        assertArrayEquals(expected, gpu.ints(out, m.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void oddAndEvenCallEachOther(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), 0, 100);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("recursion", "parity").shape(shape).run(gpu.upload(in), out);
        assertArrayEquals(
                Arrays.stream(in).map(v -> v % 2 + 1).toArray(), gpu.ints(out, in.length));
    }

    /** Search trees of 0 to 40 random keys, side by side in one array of nodes. */
    @Test
    void trees() {
        int trees = 70;
        int[] nodes = new int[trees * 40 * 3];
        int[] roots = new int[trees];
        long[] expected = new long[trees];
        int count = 0;
        for (int tree = 0; tree < trees; tree++) {
            roots[tree] = -1;
            int keys = gpu.inputs().below(40);
            for (int k = 0; k < keys; k++) {
                int key = gpu.inputs().below(1000) - 500;
                int at = count++;
                nodes[3 * at] = key;
                nodes[3 * at + 1] = -1;
                nodes[3 * at + 2] = -1;
                int depth = 1;
                if (roots[tree] < 0) {
                    roots[tree] = at;
                } else {
                    int parent = roots[tree];
                    int side = key < nodes[3 * parent] ? 1 : 2;
                    for (depth = 2; nodes[3 * parent + side] >= 0; depth++) {
                        parent = nodes[3 * parent + side];
                        side = key < nodes[3 * parent] ? 1 : 2;
                    }
                    nodes[3 * parent + side] = at;
                }
                expected[tree] += (long) key * depth;
            }
        }
        long out = gpu.allocate(8L * trees);
        gpu.kernel("recursion", "tree_walk")
                .grid(3)
                .block(32)
                .run(gpu.upload(nodes), gpu.upload(roots), out, trees);
        assertArrayEquals(expected, gpu.longs(out, trees));
    }

    /** A structure of 40 bytes goes in and comes back. */
    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void structuresThroughCalls(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), -100, 100);
        long outA = gpu.allocate(8L * in.length);
        long outB = gpu.allocate(24L * in.length);
        gpu.kernel("recursion", "struct_call").shape(shape).run(gpu.upload(in), outA, outB);
        double[] a = new double[in.length];
        int[] b = new int[6 * in.length];
        for (int i = 0; i < in.length; i++) {
            int v = in[i];
            a[i] = v * 2.0 + v * 10_000_000_000L;
            for (int k = 0; k < 5; k++) {
                b[6 * i + k] = v + (4 - k) * (4 - k) + (v & 15);
            }
            b[6 * i + 5] = v * 3 - (v & 15);
        }
        assertArrayEquals(a, gpu.doubles(outA, a.length));
        assertArrayEquals(b, gpu.ints(outB, b.length));
    }
}
