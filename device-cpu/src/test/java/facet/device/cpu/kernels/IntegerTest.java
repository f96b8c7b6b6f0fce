package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class IntegerTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void of64Bits(Shape shape) {
        int n = shape.threads() - shape.block() / 2;
        long[] a = gpu.inputs().mixedLongs(n);
        long[] b = gpu.inputs().mixedLongs(n);
        long out = gpu.allocate(128L * n);
        gpu.kernel("int64", "int64_ops").shape(shape).run(gpu.upload(a), gpu.upload(b), out, n);
        long[] expected = new long[16 * n];
        for (int i = 0; i < n; i++) {
            long x = a[i];
            long y = b[i];
            long[] row = {
                x * y,
                Math.multiplyHigh(x, y),
                Math.unsignedMultiplyHigh(x, y),
                x / y,
                x % y,
                Long.divideUnsigned(x, y),
                Long.remainderUnsigned(x, y),
                x << y,
                x >> y,
                x >>> y,
                Math.min(x, y),
                Long.compareUnsigned(x, y) > 0 ? x : y,
                Math.abs(x),
                (long) (int) x * (int) y,
                (x & 0xffffffffL) * (y & 0xffffffffL),
                (x ^ ~y) + (x & -y) - (x | 5)
            };
            System.arraycopy(row, 0, expected, 16 * i, 16);
        }
        assertArrayEquals(expected, gpu.longs(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void of32Bits(Shape shape) {
        int n = shape.threads() - shape.block() / 2;
        int[] a = gpu.inputs().mixedInts(n);
        int[] b = gpu.inputs().mixedInts(n);
        long out = gpu.allocate(48L * n);
        gpu.kernel("int64", "int32_ops").shape(shape).run(gpu.upload(a), gpu.upload(b), out, n);
        int[] expected = new int[12 * n];
        for (int i = 0; i < n; i++) {
            int x = a[i];
            int y = b[i];
            int[] row = {
                x * y,
                (int) ((long) x * y >> 32),
                (int) ((x & 0xffffffffL) * (y & 0xffffffffL) >>> 32),
                x / y,
                x % y,
                Integer.divideUnsigned(x, y),
                Integer.remainderUnsigned(x, y),
                (x << 8 >> 8) * (y << 8 >> 8),
                (x > y ? x - y : y - x) + 17,
                (int) ((long) x + y >> 1),
                (int) ((long) x + y + 1 >> 1),
                x * y + (x >> 3)
            };
            System.arraycopy(row, 0, expected, 12 * i, 12);
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    /** PTX clamps the amount at 32, Java takes it modulo 32. */
    @Test
    void shiftsBeyondTheWidth() {
        int[] value = gpu.inputs().ints(128);
        int[] amount = gpu.inputs().ints(128, 0, 70);
        long out = gpu.allocate(12L * value.length);
        gpu.kernel("int64", "wide_shifts")
                .grid(4)
                .block(32)
                .run(gpu.upload(value), gpu.upload(amount), out);
        int[] expected = new int[3 * value.length];
        for (int i = 0; i < value.length; i++) {
            boolean inside = amount[i] < 32;
            expected[3 * i] = inside ? value[i] << amount[i] : 0;
            expected[3 * i + 1] = value[i] >> Math.min(amount[i], 31);
            expected[3 * i + 2] = inside ? value[i] >>> amount[i] : 0;
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }
}
