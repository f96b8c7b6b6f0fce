package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Long dependent loops. Compiled without contraction: exact. */
@ParameterizedClass
@ValueSource(strings = {"loops", "loops.sm_100", "loops.sm_100.untyped"})
final class LoopsTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void collatz(Shape shape) {
        int n = shape.threads() - shape.block() / 2;
        int first = 1 + gpu.inputs().below(1000);
        long out = gpu.allocate(4L * n);
        gpu.kernel(ptx, "collatz").shape(shape).run(first, out, n);
        int[] expected = new int[n];
        for (int i = 0; i < n; i++) {
            for (long v = first + i; v != 1; v = v % 2 == 1 ? 3 * v + 1 : v / 2) {
                expected[i]++;
            }
        }
        assertArrayEquals(expected, gpu.ints(out, n));
    }

    @ParameterizedTest
    @CsvSource({"40,30,8,8", "33,17,32,1", "64,64,31,3", "100,50,16,64"})
    void mandelbrot(int width, int height, int blockX, int blockY) {
        int limit = 200;
        long out = gpu.allocate(4L * width * height);
        gpu.kernel(ptx, "mandelbrot")
                .grid((width + blockX - 1) / blockX, (height + blockY - 1) / blockY)
                .block(blockX, blockY)
                .run(out, width, height, limit);
        int[] expected = new int[width * height];
        for (int i = 0; i < expected.length; i++) {
            float cr = -2.0f + 3.0f * (i % width) / width;
            float ci = -1.5f + 3.0f * (i / width) / height;
            float zr = 0;
            float zi = 0;
            while (expected[i] < limit && zr * zr + zi * zi <= 4.0f) {
                float next = zr * zr - zi * zi + cr;
                zi = 2.0f * zr * zi + ci;
                zr = next;
                expected[i]++;
            }
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void generator(Shape shape) {
        int steps = gpu.inputs().below(300);
        long[] seeds = gpu.inputs().longs(shape.threads());
        long out = gpu.allocate(8L * seeds.length);
        gpu.kernel(ptx, "generator").shape(shape).run(gpu.upload(seeds), out, steps);
        long[] expected = seeds.clone();
        for (int k = 0; k < steps; k++) {
            Arrays.setAll(expected, i -> expected[i] * 6364136223846793005L + 1442695040888963407L);
        }
        assertArrayEquals(expected, gpu.longs(out, seeds.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void saxpyStridesOverTheGrid(Shape shape) {
        int n = 10_007;
        float[] x = gpu.inputs().floats(n, -1, 1);
        float[] y = gpu.inputs().floats(n, -1, 1);
        long out = gpu.upload(y);
        gpu.kernel(ptx, "saxpy").shape(shape).run(1.7f, gpu.upload(x), out, n);
        float[] expected = new float[n];
        for (int i = 0; i < n; i++) {
            expected[i] = Math.fma(1.7f, x[i], y[i]);
        }
        assertArrayEquals(expected, gpu.floats(out, n));
    }
}
