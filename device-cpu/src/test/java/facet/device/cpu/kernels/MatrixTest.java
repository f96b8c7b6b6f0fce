package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of the fused multiply-adds is fixed, so the results are exact. */
@ParameterizedClass
@ValueSource(strings = {"matrix", "matrix.sm_100", "matrix.sm_100.untyped"})
final class MatrixTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    @ParameterizedTest
    @CsvSource({"1,1,1", "16,16,16", "17,33,5", "64,48,80", "100,3,31"})
    void tiledProduct(int m, int n, int k) {
        float[] a = gpu.inputs().floats(m * k, -1, 1);
        float[] b = gpu.inputs().floats(k * n, -1, 1);
        long c = gpu.allocate(4L * m * n);
        gpu.kernel(ptx, "multiply_tiled")
                .grid((n + 15) / 16, (m + 15) / 16)
                .block(16, 16)
                .run(gpu.upload(a), gpu.upload(b), c, m, n, k);
        float[] expected = new float[m * n];
        for (int row = 0; row < m; row++) {
            for (int column = 0; column < n; column++) {
                float sum = 0;
                for (int i = 0; i < k; i++) {
                    sum = Math.fma(a[row * k + i], b[i * n + column], sum);
                }
                expected[row * n + column] = sum;
            }
        }
        assertArrayEquals(expected, gpu.floats(c, m * n));
    }

    @ParameterizedTest
    @CsvSource({"1,1,1,1,1", "20,30,40,8,4", "33,31,7,31,3", "50,50,10,1,64"})
    void productOfDoubles(int m, int n, int k, int blockX, int blockY) {
        double[] a = gpu.inputs().doubles(m * k, -1, 1);
        double[] b = gpu.inputs().doubles(k * n, -1, 1);
        long c = gpu.allocate(8L * m * n);
        gpu.kernel(ptx, "multiply_naive")
                .grid((n + blockX - 1) / blockX, (m + blockY - 1) / blockY)
                .block(blockX, blockY)
                .run(gpu.upload(a), gpu.upload(b), c, m, n, k);
        double[] expected = new double[m * n];
        for (int row = 0; row < m; row++) {
            for (int column = 0; column < n; column++) {
                double sum = 0;
                for (int i = 0; i < k; i++) {
                    sum = Math.fma(a[row * k + i], b[i * n + column], sum);
                }
                expected[row * n + column] = sum;
            }
        }
        assertArrayEquals(expected, gpu.doubles(c, m * n));
    }

    /** Warps beyond the last row leave before the shuffles. */
    @ParameterizedTest
    @CsvSource({"1,1,32", "5,100,64", "33,31,256", "100,257,1024"})
    void matrixTimesVector(int rows, int columns, int block) {
        float[] matrix = gpu.inputs().floats(rows * columns, -2, 2);
        float[] vector = gpu.inputs().floats(columns, -2, 2);
        long out = gpu.allocate(4L * rows);
        gpu.kernel(ptx, "matrix_vector")
                .grid((rows * 32 + block - 1) / block)
                .block(block)
                .run(gpu.upload(matrix), gpu.upload(vector), out, rows, columns);
        float[] expected = new float[rows];
        for (int row = 0; row < rows; row++) {
            float[] lanes = new float[32];
            for (int column = 0; column < columns; column++) {
                lanes[column % 32] =
                        Math.fma(
                                matrix[row * columns + column], vector[column], lanes[column % 32]);
            }
            for (int half = 16; half > 0; half /= 2) {
                for (int lane = 0; lane < half; lane++) {
                    lanes[lane] += lanes[lane + half];
                }
            }
            expected[row] = lanes[0];
        }
        assertArrayEquals(expected, gpu.floats(out, rows));
    }
}
