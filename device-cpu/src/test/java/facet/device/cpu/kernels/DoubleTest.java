package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compiled without contraction: exact. */
final class DoubleTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @CsvSource({"1,1", "33,32", "100,31", "300,64", "300,256"})
    void bodies(int n, int block) {
        double[] x = gpu.inputs().doubles(n, -1, 1);
        double[] y = gpu.inputs().doubles(n, -1, 1);
        double[] z = gpu.inputs().doubles(n, -1, 1);
        double[] mass = gpu.inputs().doubles(n, 0.1, 1);
        long ax = gpu.allocate(8L * n);
        long ay = gpu.allocate(8L * n);
        long az = gpu.allocate(8L * n);
        gpu.kernel("double", "nbody_step")
                .grid((n + block - 1) / block)
                .block(block)
                .shared(32 * block)
                .run(gpu.upload(x), gpu.upload(y), gpu.upload(z), gpu.upload(mass), ax, ay, az, n);
        double[] fx = new double[n];
        double[] fy = new double[n];
        double[] fz = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double dx = x[j] - x[i];
                double dy = y[j] - y[i];
                double dz = z[j] - z[i];
                double r2 = dx * dx + dy * dy + dz * dz + 1e-3;
                double s = mass[j] / (r2 * Math.sqrt(r2));
                fx[i] += dx * s;
                fy[i] += dy * s;
                fz[i] += dz * s;
            }
        }
        assertArrayEquals(fx, gpu.doubles(ax, n));
        assertArrayEquals(fy, gpu.doubles(ay, n));
        assertArrayEquals(fz, gpu.doubles(az, n));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 256, 1024})
    void polynomial(int block) {
        int n = 3 * block - block / 2;
        double[] in = gpu.inputs().doubles(n, -1.5, 1.5);
        long out = gpu.allocate(8L * n);
        gpu.kernel("double", "polynomial").grid(3).block(block).run(gpu.upload(in), out, n);
        double[] expected = new double[n];
        for (int i = 0; i < n; i++) {
            for (int k = 12; k >= 0; k--) {
                expected[i] = Math.fma(expected[i], in[i], 1.0 / (k + 1));
            }
        }
        assertArrayEquals(expected, gpu.doubles(out, n));
    }

    /** Values out of range saturate. */
    @Test
    void conversions() {
        double[] in = gpu.inputs().doubles(64, -1e6, 1e6);
        double[] special = {0.5, 1.5, 2.5, -0.5, -2.5, 0.0, 3e9, -3e9, 1e19, -1e19, 1e300, -1e300};
        System.arraycopy(special, 0, in, 0, special.length);
        long out = gpu.allocate(80L * in.length);
        gpu.kernel("double", "rounding").grid(2).block(32).run(gpu.upload(in), out);
        long[] expected = new long[10 * in.length];
        for (int i = 0; i < in.length; i++) {
            double v = in[i];
            long[] row = {
                (long) Math.rint(v),
                (long) v,
                (long) Math.ceil(v),
                (long) Math.floor(v),
                (int) v,
                (long) Math.min(Math.abs(v), 4294967295.0),
                Double.doubleToRawLongBits(Math.rint(v)),
                Double.doubleToRawLongBits(Math.floor(v)),
                Double.doubleToRawLongBits(Math.ceil(v)),
                Double.doubleToRawLongBits((float) v)
            };
            System.arraycopy(row, 0, expected, 10 * i, 10);
        }
        assertArrayEquals(expected, gpu.longs(out, expected.length));
    }

    @Test
    void directedRounding() {
        double[] a = gpu.inputs().doubles(128, -10, 10);
        double[] b = gpu.inputs().doubles(128, -1e-8, 1e-8);
        long out = gpu.allocate(32L * a.length);
        gpu.kernel("double", "directed").grid(4).block(32).run(gpu.upload(a), gpu.upload(b), out);
        double[] expected = new double[4 * a.length];
        for (int i = 0; i < a.length; i++) {
            BigDecimal sum = new BigDecimal(a[i]).add(new BigDecimal(b[i]));
            BigDecimal product = new BigDecimal(a[i]).multiply(new BigDecimal(b[i]));
            expected[4 * i] = up(sum);
            expected[4 * i + 1] = down(sum);
            expected[4 * i + 2] = up(product);
            expected[4 * i + 3] = product.signum() > 0 ? down(product) : up(product);
        }
        assertArrayEquals(expected, gpu.doubles(out, expected.length));
    }

    private static double up(BigDecimal exact) {
        double nearest = exact.doubleValue();
        return new BigDecimal(nearest).compareTo(exact) < 0 ? Math.nextUp(nearest) : nearest;
    }

    private static double down(BigDecimal exact) {
        double nearest = exact.doubleValue();
        return new BigDecimal(nearest).compareTo(exact) > 0 ? Math.nextDown(nearest) : nearest;
    }
}
