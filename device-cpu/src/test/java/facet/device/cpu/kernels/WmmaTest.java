package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Products of matrices by {@code nvcuda::wmma}, bit by bit what the order of sums says: each
 * element starts as twice C's, and adds exact products in the order of k, rounding each sum once.
 */
final class WmmaTest {
    private static final int M = 64;
    private static final int N = 32;
    private static final int K = 48;

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    /** Index of an element of A or B, whose rows or columns are together. */
    private static IntBinaryOperator index(boolean rows, int height, int width) {
        return rows ? (i, j) -> i * width + j : (i, j) -> j * height + i;
    }

    private static float[] product(
            float[] a, IntBinaryOperator inA, float[] b, IntBinaryOperator inB, float[] c) {
        float[] sums = new float[M * N];
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                float sum = c[i * N + j] + c[i * N + j];
                for (int k = 0; k < K; k++) {
                    sum = Math.fma(a[inA.applyAsInt(i, k)], b[inB.applyAsInt(k, j)], sum);
                }
                sums[i * N + j] = sum;
            }
        }
        return sums;
    }

    private static void launch(String kernel, int tiles, Object... arguments) {
        gpu.kernel("wmma", kernel).grid((tiles + 3) / 4).block(128).run(arguments);
    }

    private static short[] halves(float[] values) {
        short[] halves = new short[values.length];
        for (int i = 0; i < halves.length; i++) {
            halves[i] = Float.floatToFloat16(values[i]);
            values[i] = Float.float16ToFloat(halves[i]);
        }
        return halves;
    }

    @Test
    void halvesIntoFloats() {
        float[] a = gpu.inputs().floats(M * K, -3, 3);
        float[] b = gpu.inputs().floats(K * N, -3, 3);
        float[] c = gpu.inputs().floats(M * N, -9, 9);
        long left = gpu.upload(halves(a));
        long right = gpu.upload(halves(b));
        long sums = gpu.upload(c);
        launch("f16_f32", M / 16 * (N / 16), left, right, sums, M, N, K);
        assertArrayEquals(
                product(a, index(true, M, K), b, index(false, K, N), c), gpu.floats(sums, M * N));
    }

    /** A step of 16 is summed in f32 and becomes f16 at its end. */
    @Test
    void halvesIntoHalves() {
        float[] a = gpu.inputs().floats(M * K, -3, 3);
        float[] b = gpu.inputs().floats(K * N, -3, 3);
        float[] c = gpu.inputs().floats(M * N, -9, 9);
        long left = gpu.upload(halves(a));
        long right = gpu.upload(halves(b));
        long sums = gpu.upload(halves(c));
        launch("f16_f16", M / 32 * (N / 8), left, right, sums, M, N, K);
        short[] expected = new short[M * N];
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                float sum = Narrow.half(c[i * N + j] + c[i * N + j]);
                for (int k = 0; k < K; k++) {
                    sum = Math.fma(a[k * M + i], b[k * N + j], sum);
                    sum = k % 16 == 15 ? Narrow.half(sum) : sum;
                }
                expected[i * N + j] = Float.floatToFloat16(sum);
            }
        }
        assertArrayEquals(expected, gpu.shorts(sums, M * N));
    }

    @Test
    void brainFloats() {
        float[] a = gpu.inputs().floats(M * K, -3, 3);
        float[] b = gpu.inputs().floats(K * N, -3, 3);
        float[] c = gpu.inputs().floats(M * N, -9, 9);
        short[] left = new short[a.length];
        short[] right = new short[b.length];
        for (int i = 0; i < a.length; i++) {
            a[i] = Narrow.brain(a[i]);
            left[i] = Narrow.brainBits(a[i]);
        }
        for (int i = 0; i < b.length; i++) {
            b[i] = Narrow.brain(b[i]);
            right[i] = Narrow.brainBits(b[i]);
        }
        long sums = gpu.upload(c);
        launch("bf16_f32", M / 8 * (N / 32), gpu.upload(left), gpu.upload(right), sums, M, N, K);
        assertArrayEquals(
                product(a, index(true, M, K), b, index(true, K, N), c), gpu.floats(sums, M * N));
    }

    /** The low 13 bits of a float that was not converted do not count. */
    @Test
    void floatsOfTenBits() {
        float[] a = gpu.inputs().floats(M * K, -3, 3);
        float[] b = gpu.inputs().floats(K * N, -3, 3);
        float[] c = gpu.inputs().floats(M * N, -9, 9);
        long left = gpu.upload(a);
        long right = gpu.upload(b);
        long sums = gpu.upload(c);
        launch("tf32_f32", M / 16 * (N / 16), left, right, sums, M, N, K);
        for (float[] each : new float[][] {a, b}) {
            for (int i = 0; i < each.length; i++) {
                each[i] = Float.intBitsToFloat(Float.floatToRawIntBits(each[i]) & 0xffff_e000);
            }
        }
        assertArrayEquals(
                product(a, index(true, M, K), b, index(false, K, N), c), gpu.floats(sums, M * N));
    }

    @Test
    void doubles() {
        double[] a = gpu.inputs().doubles(M * K, -3, 3);
        double[] b = gpu.inputs().doubles(K * N, -3, 3);
        double[] c = gpu.inputs().doubles(M * N, -9, 9);
        long sums = gpu.upload(c);
        launch("f64_f64", M / 8 * (N / 8), gpu.upload(a), gpu.upload(b), sums, M, N, K);
        double[] expected = new double[M * N];
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                double sum = c[i * N + j] + c[i * N + j];
                for (int k = 0; k < K; k++) {
                    sum = Math.fma(a[i * K + k], b[j * K + k], sum);
                }
                expected[i * N + j] = sum;
            }
        }
        assertArrayEquals(expected, gpu.doubles(sums, M * N));
    }

    private static int[] integers(
            byte[] a, IntBinaryOperator inA, byte[] b, IntBinaryOperator inB, int[] c, int mask) {
        int[] sums = new int[M * N];
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                int sum = c[i * N + j] * 2;
                for (int k = 0; k < K; k++) {
                    sum += (a[inA.applyAsInt(i, k)] & mask) * (b[inB.applyAsInt(k, j)] & mask);
                }
                sums[i * N + j] = sum;
            }
        }
        return sums;
    }

    @Test
    void bytes() {
        byte[] a = gpu.inputs().bytes(M * K);
        byte[] b = gpu.inputs().bytes(K * N);
        int[] c = gpu.inputs().ints(M * N);
        long sums = gpu.upload(c);
        launch("s8_s32", M / 16 * (N / 16), gpu.upload(a), gpu.upload(b), sums, M, N, K);
        assertArrayEquals(
                integers(a, index(true, M, K), b, index(false, K, N), c, -1),
                gpu.ints(sums, M * N));
        sums = gpu.upload(c);
        launch("u8_s32", M / 8 * (N / 32), gpu.upload(a), gpu.upload(b), sums, M, N, K);
        assertArrayEquals(
                integers(a, index(false, M, K), b, index(true, K, N), c, 0xff),
                gpu.ints(sums, M * N));
    }

    /** Eight elements in a word; the product is stored by columns. */
    @Test
    void nibbles() {
        int depth = 96;
        int[] a = gpu.inputs().ints(8 * depth / 8);
        int[] b = gpu.inputs().ints(8 * depth / 8);
        long sums = gpu.allocate(256);
        launch("s4_s32", 1, gpu.upload(a), gpu.upload(b), sums, depth);
        int[] expected = new int[64];
        for (int i = 0; i < 64; i++) {
            for (int k = 0; k < depth; k++) {
                expected[i] += nibble(a, i % 8 * depth + k) * nibble(b, i / 8 * depth + k);
            }
        }
        assertArrayEquals(expected, gpu.ints(sums, 64));
    }

    private static int nibble(int[] words, int index) {
        return words[index / 8] << 28 - index % 8 * 4 >> 28;
    }

    @Test
    void bits() {
        int depth = 384;
        int[] a = gpu.inputs().ints(8 * depth / 32);
        int[] b = gpu.inputs().ints(8 * depth / 32);
        long sums = gpu.allocate(256);
        launch("b1_s32", 1, gpu.upload(a), gpu.upload(b), sums, depth);
        int[] expected = new int[64];
        for (int i = 0; i < 64; i++) {
            for (int k = 0; k < depth / 32; k++) {
                expected[i] +=
                        Integer.bitCount(a[i % 8 * depth / 32 + k] & b[i / 8 * depth / 32 + k]);
            }
        }
        assertArrayEquals(expected, gpu.ints(sums, 64));
    }
}
