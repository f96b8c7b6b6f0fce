package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.cpu.kernels.Shapes.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** PTX with the directives of {@code -lineinfo}. */
final class LineInfoTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Test
    void directivesAreThere() {
        String text = KernelRunner.ptx("lineinfo");
        assertTrue(text.contains(".loc") && text.contains(".file"));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void runs(Shape shape) {
        int n = shape.threads() - gpu.inputs().below(shape.block());
        float[] a = gpu.inputs().floats(n, -1, 1);
        float[] b = gpu.inputs().floats(n, -1, 1);
        long out = gpu.allocate(4L * n);
        gpu.kernel("lineinfo", "lined").shape(shape).run(gpu.upload(a), gpu.upload(b), out, n);
        float[] expected = new float[n];
        for (int i = 0; i < n; i++) {
            int block = i / shape.block();
            int first = block * shape.block();
            float best = weighted(a[first], b[first], block);
            expected[i] = weighted(best, a[i], i) + b[i];
        }
        assertArrayEquals(expected, gpu.floats(out, n));
    }

    private static float weighted(float a, float b, int k) {
        return k % 2 == 0 ? Math.fma(a, b, 1f) : Math.fma(a, -b, 2f);
    }
}
