package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.math.BigInteger;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Instructions that nvcc seldom writes, in scopes of their own. */
final class InlineAssemblyTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void fields(Shape shape) {
        int n = shape.threads();
        int[] a = gpu.inputs().ints(n);
        int[] b = gpu.inputs().ints(n);
        long out = gpu.allocate(40L * n);
        gpu.kernel("inlineasm", "fields").shape(shape).run(gpu.upload(a), gpu.upload(b), out);
        int[] expected = new int[10 * n];
        for (int i = 0; i < n; i++) {
            int x = a[i];
            int y = b[i];
            int z = x * 5 + i;
            int position = y & 31;
            int length = y >> 5 & 31;
            long both = (long) y << 32 | x & 0xffffffffL;
            int mask = ((1 << length) - 1) << position;
            int[] row = {
                extract(x, position, length),
                x >>> position & (1 << length) - 1,
                y << position & mask | x & ~mask,
                BitsTest.permute(x, y, 0x83a1),
                x & y | x & z | y & z,
                x ^ y ^ z,
                (int) (both << (y & 31) >>> 32),
                (int) (both >>> Math.min(y & 63, 32)),
                i + dot(x, y, true),
                i + dot(x, y, false)
            };
            System.arraycopy(row, 0, expected, 10 * i, 10);
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    /**
     * bfe.s32: the sign is the field's highest bit, or the word's when the field reaches past it.
     */
    private static int extract(int x, int position, int length) {
        return length == 0 ? 0 : (int) ((long) x >> position << 64 - length >> 64 - length);
    }

    private static int dot(int x, int y, boolean signed) {
        int sum = 0;
        for (int k = 0; k < 32; k += 8) {
            int p = x >>> k & 255;
            int q = y >>> k & 255;
            sum += signed ? (byte) p * (byte) q : p * q;
        }
        return sum;
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void carryChains(Shape shape) {
        int n = shape.threads();
        int[] a = gpu.inputs().ints(4 * n);
        int[] b = gpu.inputs().ints(4 * n);
        for (int i = 0; i < n; i++) { // long carries
            a[4 * i + 1] = i % 2 == 0 ? -1 : a[4 * i + 1];
            b[4 * i + 1] = i % 4 == 0 ? 0 : b[4 * i + 1];
        }
        long out = gpu.allocate(40L * n);
        gpu.kernel("inlineasm", "carry").shape(shape).run(gpu.upload(a), gpu.upload(b), out);
        int[] expected = new int[10 * n];
        for (int i = 0; i < n; i++) {
            BigInteger x = unsigned(a, 4 * i);
            BigInteger y = unsigned(b, 4 * i);
            for (int k = 0; k < 5; k++) {
                expected[10 * i + k] = x.add(y).shiftRight(32 * k).intValue();
            }
            for (int k = 0; k < 4; k++) {
                expected[10 * i + 5 + k] = x.subtract(y).shiftRight(32 * k).intValue();
            }
            long product =
                    (a[4 * i] & 0xffffffffL) * (b[4 * i] & 0xffffffffL)
                            + (a[4 * i + 1] & 0xffffffffL);
            expected[10 * i + 9] = (int) product ^ (int) (product >>> 32);
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    private static BigInteger unsigned(int[] words, int at) {
        BigInteger value = BigInteger.ZERO;
        for (int k = 3; k >= 0; k--) {
            value = value.shiftLeft(32).add(BigInteger.valueOf(words[at + k] & 0xffffffffL));
        }
        return value;
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void scopesWithTheSameLabels(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), 1, 1_000_000);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("inlineasm", "scopes").shape(shape).run(gpu.upload(in), out);
        int[] expected = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            expected[i] = Integer.highestOneBit(in[i]) + Integer.highestOneBit(in[i] / 3 + 1);
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void selections(Shape shape) {
        int n = shape.threads();
        int[] a = gpu.inputs().mixedInts(n);
        int[] b = gpu.inputs().mixedInts(n);
        a[0] = 7;
        long out = gpu.allocate(24L * n);
        gpu.kernel("inlineasm", "selections").shape(shape).run(gpu.upload(a), gpu.upload(b), out);
        int[] expected = new int[6 * n];
        for (int i = 0; i < n; i++) {
            int x = a[i];
            int y = b[i];
            long wide = ((long) y << 32 | x & 0xffffffffL) + 0xffffffffL;
            int[] row = {
                x == 7 ? 20 : x < y ? 10 : 25,
                Math.clamp((long) x + y, Integer.MIN_VALUE, Integer.MAX_VALUE),
                (x ^ y) >= 0 ? x : y,
                x < y ? -1 : 0,
                (int) wide ^ (int) (wide >>> 32),
                x & 1 ^ 1
            };
            System.arraycopy(row, 0, expected, 6 * i, 6);
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }
}
