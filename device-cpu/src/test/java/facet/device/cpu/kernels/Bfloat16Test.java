package facet.device.cpu.kernels;

import static facet.device.cpu.kernels.Narrow.brain;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Brain floats: on sm_80 sums and products go through fma; the results are the same. */
@ParameterizedClass
@ValueSource(strings = {"bfloat16", "bfloat16.sm_80"})
final class Bfloat16Test {
    private static final int N = 192;

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    @ParameterizedTest
    @ValueSource(floats = {1e-20f, 1, 1000, 1e18f})
    void arithmetic(float range) {
        float[] a = gpu.inputs().floats(N, -range, range);
        float[] b = gpu.inputs().floats(N, -range, range);
        long out = gpu.allocate(20L * N);
        gpu.kernel(ptx, "bf16_ops").grid(6).block(32).run(gpu.upload(a), gpu.upload(b), out);
        float[] expected = new float[5 * N];
        for (int i = 0; i < N; i++) {
            float x = brain(a[i]);
            float y = brain(b[i]);
            float[] row = {
                x, brain(x + y), Narrow.brainFma(x, y, -0f), Narrow.brainFma(x, y, y), x > y ? 1 : 0
            };
            System.arraycopy(row, 0, expected, 5 * i, 5);
        }
        assertArrayEquals(expected, gpu.floats(out, 5 * N));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 64})
    void pairs(int block) {
        float[] values = gpu.inputs().floats(4 * block, -100, 100);
        short[] bits = new short[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Narrow.brainBits(values[i]);
        }
        long a = gpu.upload(bits);
        long out = gpu.allocate(12L * block);
        gpu.kernel(ptx, "bf162_ops").block(block).run(a, a + 4L * block, out);
        short[] expected = new short[6 * block];
        for (int i = 0; i < block; i++) {
            for (int side = 0; side < 2; side++) {
                float x = brain(values[2 * i + side]);
                float y = brain(values[2 * block + 2 * i + side]);
                expected[6 * i + side] = Narrow.brainBits(x + y);
                expected[6 * i + 2 + side] = Narrow.brainBits(Narrow.brainFma(x, y, x));
                expected[6 * i + 4 + side] = Narrow.brainBits(side == 0 ? x * 3 : y * 0.3f);
            }
        }
        assertArrayEquals(expected, gpu.shorts(out, 6 * block));
    }
}
