package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class HistogramTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void globalAtomics(Shape shape) {
        check("histogram_global", shape, 5000);
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void sharedAtomics(Shape shape) {
        check("histogram_shared", shape, 5000);
    }

    /** One thread an element; equal lanes are counted by one of them. */
    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void aggregated(Shape shape) {
        check("histogram_aggregated", shape, shape.threads() - shape.block() / 2);
    }

    private static void check(String kernel, Shape shape, int n) {
        byte[] in = gpu.inputs().bytes(n);
        for (int i = 0; i < n; i += 2) {
            in[i] &= 3; // crowded bins
        }
        long bins = gpu.allocate(4 * 256);
        gpu.kernel("histogram", kernel).shape(shape).run(gpu.upload(in), n, bins);
        int[] expected = new int[256];
        for (byte b : in) {
            expected[b & 255]++;
        }
        assertArrayEquals(expected, gpu.ints(bins, 256));
    }
}
