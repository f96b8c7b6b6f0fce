package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class BitsTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void of32(Shape shape) {
        int n = shape.threads() - shape.block() / 2;
        int[] a = gpu.inputs().mixedInts(n);
        int[] b = gpu.inputs().ints(n);
        a[0] = 0;
        long out = gpu.allocate(44L * n);
        gpu.kernel("bits", "bit_ops").shape(shape).run(gpu.upload(a), gpu.upload(b), out, n);
        int[] expected = new int[11 * n];
        for (int i = 0; i < n; i++) {
            int x = a[i];
            int y = b[i];
            long both = (long) y << 32 | x & 0xffffffffL;
            int clamped = Math.min(y & 63, 32);
            int[] row = {
                Integer.reverse(x),
                Integer.numberOfLeadingZeros(x),
                Integer.bitCount(x),
                x == 0 ? 0 : Integer.numberOfTrailingZeros(x) + 1,
                permute(x, y, y & 0x7777),
                (int) (both << (y & 31) >>> 32),
                (int) (both >>> (y & 31)),
                clamped == 32 ? x : (int) (both << clamped >>> 32),
                (int) (both >>> clamped),
                permute(x, y, 0x2316),
                bytewiseSum(x, y)
            };
            System.arraycopy(row, 0, expected, 11 * i, 11);
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void of64(Shape shape) {
        int n = shape.threads() - shape.block() / 2;
        long[] in = gpu.inputs().mixedLongs(n);
        in[0] = 0;
        long out = gpu.allocate(32L * n);
        gpu.kernel("bits", "wide_bit_ops").shape(shape).run(gpu.upload(in), out, n);
        long[] expected = new long[4 * n];
        for (int i = 0; i < n; i++) {
            expected[4 * i] = Long.reverse(in[i]);
            expected[4 * i + 1] = Long.numberOfLeadingZeros(in[i]);
            expected[4 * i + 2] = Long.bitCount(in[i]);
            expected[4 * i + 3] = in[i] == 0 ? 0 : Long.numberOfTrailingZeros(in[i]) + 1;
        }
        assertArrayEquals(expected, gpu.longs(out, expected.length));
    }

    @Test
    void distanceOfBytes() {
        int[] a = gpu.inputs().ints(96);
        int[] b = gpu.inputs().ints(96);
        long out = gpu.allocate(8 * 96);
        gpu.kernel("video", "byte_distance")
                .grid(3)
                .block(32)
                .run(gpu.upload(a), gpu.upload(b), out);
        int[] expected = new int[2 * 96];
        for (int i = 0; i < 96; i++) {
            for (int k = 0; k < 32; k += 8) {
                int distance = Math.abs((a[i] >>> k & 255) - (b[i] >>> k & 255));
                expected[2 * i] |= distance << k;
                expected[2 * i + 1] += distance;
            }
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    /**
     * The bytes 0–3 are those of x, 4–7 those of y; bit 3 of a selector spreads the byte's sign.
     */
    static int permute(int x, int y, int selectors) {
        long both = (long) y << 32 | x & 0xffffffffL;
        int result = 0;
        for (int k = 0; k < 4; k++) {
            int selector = selectors >>> 4 * k & 15;
            byte chosen = (byte) (both >>> 8 * (selector & 7));
            result |= (selector > 7 ? chosen >> 7 & 255 : chosen & 255) << 8 * k;
        }
        return result;
    }

    private static int bytewiseSum(int x, int y) {
        int result = 0;
        for (int k = 0; k < 32; k += 8) {
            result |= ((x >>> k) + (y >>> k) & 255) << k;
        }
        return result;
    }
}
