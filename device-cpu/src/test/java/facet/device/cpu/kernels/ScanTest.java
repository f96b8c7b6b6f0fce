package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"scan", "scan.sm_100"})
final class ScanTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void warpInclusive(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "warp_inclusive").shape(shape).run(gpu.upload(in), out);
        assertArrayEquals(inclusive(in, 32), gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void warpExclusive(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "warp_exclusive").shape(shape).run(gpu.upload(in), out);
        assertArrayEquals(exclusive(in, 32), gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void blockWithShuffles(Shape shape) {
        int n = shape.threads() - gpu.inputs().below(shape.block());
        int[] in = gpu.inputs().ints(n);
        long out = gpu.allocate(4L * n);
        gpu.kernel(ptx, "block_inclusive").shape(shape).run(gpu.upload(in), out, n);
        assertArrayEquals(inclusive(in, shape.block()), gpu.ints(out, n));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void blockInSharedMemory(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "shared_inclusive")
                .shape(shape)
                .shared(8 * shape.block())
                .run(gpu.upload(in), out);
        assertArrayEquals(inclusive(in, shape.block()), gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.POWERS)
    void blockExclusive(Shape shape) {
        int[] in = gpu.inputs().ints(2 * shape.threads());
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "shared_exclusive")
                .shape(shape)
                .shared(8 * shape.block())
                .run(gpu.upload(in), out);
        assertArrayEquals(exclusive(in, 2 * shape.block()), gpu.ints(out, in.length));
    }

    /** Sums that start again at every multiple of the segment. */
    static int[] inclusive(int[] in, int segment) {
        int[] sums = in.clone();
        for (int i = 0; i < in.length; i++) {
            sums[i] += i % segment == 0 ? 0 : sums[i - 1];
        }
        return sums;
    }

    private static int[] exclusive(int[] in, int segment) {
        int[] sums = inclusive(in, segment);
        for (int i = 0; i < in.length; i++) {
            sums[i] -= in[i];
        }
        return sums;
    }
}
