package facet.device.cpu.kernels;

import static facet.device.cpu.kernels.Narrow.half;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exact, but for the division, which the library builds from an approximation. */
final class HalfTest {
    private static final int N = 192;

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    /** Subnormal, usual and overflowing results. */
    @ParameterizedTest
    @ValueSource(floats = {1e-4f, 10, 1000})
    void arithmetic(float range) {
        float[] a = gpu.inputs().floats(N, -range, range);
        float[] b = gpu.inputs().floats(N, -range, range);
        b[0] = 1;
        long out = gpu.allocate(32L * N);
        gpu.kernel("half", "half_ops").grid(6).block(32).run(gpu.upload(a), gpu.upload(b), out);
        float[] found = gpu.floats(out, 8 * N);
        float[] expected = new float[8 * N];
        for (int i = 0; i < N; i++) {
            float x = half(a[i]);
            float y = half(b[i]);
            float[] row = {
                x,
                half(x + y),
                half(x - y),
                half(x * y),
                Narrow.halfFma(x, y, x),
                -x,
                x < y ? 1 : 0,
                half(x / y)
            };
            System.arraycopy(row, 0, expected, 8 * i, 8);
            float unit = Narrow.halfUlp(row[7]);
            assertEquals(row[7], found[8 * i + 7], unit, x + " / " + y);
            expected[8 * i + 7] = found[8 * i + 7];
        }
        assertArrayEquals(expected, found);
    }

    @Test
    void pairs() {
        float[] values = gpu.inputs().floats(4 * N, -100, 100);
        short[] halves = new short[4 * N];
        for (int i = 0; i < halves.length; i++) {
            halves[i] = Float.floatToFloat16(values[i]);
        }
        long a = gpu.upload(halves);
        long out = gpu.allocate(16L * N);
        gpu.kernel("half", "half2_ops").grid(6).block(32).run(a, a + 4L * N, out);
        short[] expected = new short[8 * N];
        for (int i = 0; i < N; i++) {
            for (int side = 0; side < 2; side++) {
                float x = half(values[2 * i + side]);
                float y = half(values[2 * N + 2 * i + side]);
                expected[8 * i + side] = Float.floatToFloat16(x + y);
                expected[8 * i + 2 + side] = Float.floatToFloat16(x * y);
                expected[8 * i + 4 + side] = Float.floatToFloat16(Narrow.halfFma(x, y, x));
                expected[8 * i + 6 + side] = halves[2 * i + 1 - side];
            }
        }
        assertArrayEquals(expected, gpu.shorts(out, 8 * N));
    }

    @Test
    void conversions() {
        float[] in = gpu.inputs().floats(N, -70_000, 70_000);
        float[] special = {0f, -0f, 1e-7f, 6e-8f, 2e-8f, 65_504f, 65_519f, 65_520f, 1e6f, -1e6f};
        System.arraycopy(special, 0, in, 0, special.length);
        long out = gpu.allocate(6L * N);
        gpu.kernel("half", "half_bits").grid(6).block(32).run(gpu.upload(in), out);
        short[] expected = new short[3 * N];
        for (int i = 0; i < N; i++) {
            short nearest = Float.floatToFloat16(in[i]);
            boolean outward = Math.abs(Float.float16ToFloat(nearest)) > Math.abs(in[i]);
            expected[3 * i] = nearest;
            expected[3 * i + 1] = (short) (nearest - (outward ? 1 : 0));
            expected[3 * i + 2] = Float.floatToFloat16((int) in[i]);
        }
        assertArrayEquals(expected, gpu.shorts(out, 3 * N));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 100})
    void dotProduct(int block) {
        int length = 17;
        short[] a = new short[2 * block * length];
        short[] b = new short[a.length];
        float[] values = gpu.inputs().floats(2 * a.length, -2, 2);
        for (int i = 0; i < a.length; i++) {
            a[i] = Float.floatToFloat16(values[2 * i]);
            b[i] = Float.floatToFloat16(values[2 * i + 1]);
        }
        long out = gpu.allocate(8L * block);
        gpu.kernel("half", "half_dot")
                .grid(2)
                .block(block)
                .run(gpu.upload(a), gpu.upload(b), out, length);
        float[] expected = new float[2 * block];
        for (int i = 0; i < a.length; i++) {
            expected[i / length] =
                    Narrow.halfFma(
                            Float.float16ToFloat(a[i]),
                            Float.float16ToFloat(b[i]),
                            expected[i / length]);
        }
        assertArrayEquals(expected, gpu.floats(out, expected.length));
    }
}
