package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compiled without contraction: exact. */
@ParameterizedClass
@ValueSource(strings = {"stencil", "stencil.sm_100", "stencil.sm_100.untyped"})
final class StencilTest {
    private static final int RADIUS = 3;

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    /** Some threads of the last block leave after the barrier. */
    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void line(Shape shape) {
        int n = shape.threads() - gpu.inputs().below(shape.block());
        int[] in = gpu.inputs().ints(n, -1000, 1000);
        long out = gpu.allocate(4L * n);
        gpu.kernel(ptx, "stencil_1d")
                .shape(shape)
                .shared(4 * (shape.block() + 2 * RADIUS))
                .run(gpu.upload(in), out, n);
        int[] expected = new int[n];
        for (int i = 0; i < n; i++) {
            for (int d = -RADIUS; d <= RADIUS; d++) {
                if (i + d >= 0 && i + d < n) {
                    expected[i] += in[i + d] * (RADIUS + 1 - Math.abs(d));
                }
            }
        }
        assertArrayEquals(expected, gpu.ints(out, n));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "16,8", "17,9", "50,33", "100,7"})
    void plane(int width, int height) {
        float[] in = gpu.inputs().floats(width * height, -1, 1);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "stencil_2d")
                .grid((width + 15) / 16, (height + 7) / 8)
                .block(16, 8)
                .run(gpu.upload(in), out, width, height);
        float[] expected = new float[in.length];
        for (int i = 0; i < in.length; i++) {
            int x = i % width;
            int y = i / width;
            float sum = (y > 0 ? in[i - width] : 0f) + (y + 1 < height ? in[i + width] : 0f);
            sum += x > 0 ? in[i - 1] : 0f;
            sum += x + 1 < width ? in[i + 1] : 0f;
            expected[i] = 0.5f * in[i] + 0.125f * sum;
        }
        assertArrayEquals(expected, gpu.floats(out, in.length));
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "8,8,8", "9,17,5", "20,3,30"})
    void volume(int nx, int ny, int nz) {
        double[] in = gpu.inputs().doubles(nx * ny * nz, -1, 1);
        long out = gpu.allocate(8L * in.length);
        gpu.kernel(ptx, "stencil_3d")
                .grid((nx + 7) / 8, (ny + 7) / 8)
                .block(8, 8)
                .run(gpu.upload(in), out, nx, ny, nz);
        double[] expected = new double[in.length];
        for (int i = 0; i < in.length; i++) {
            int x = i % nx;
            int y = i / nx % ny;
            int z = i / nx / ny;
            double sum = (x > 0 ? in[i - 1] : 0) + (x + 1 < nx ? in[i + 1] : 0);
            sum += y > 0 ? in[i - nx] : 0;
            sum += y + 1 < ny ? in[i + nx] : 0;
            sum += z > 0 ? in[i - nx * ny] : 0;
            sum += z + 1 < nz ? in[i + nx * ny] : 0;
            expected[i] = sum - 6.0 * in[i];
        }
        assertArrayEquals(expected, gpu.doubles(out, in.length));
    }
}
