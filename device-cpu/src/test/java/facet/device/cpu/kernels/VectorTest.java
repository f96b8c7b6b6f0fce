package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads and stores wider and narrower than a register. */
@ParameterizedClass
@ValueSource(strings = {"vector", "vector.sm_100", "vector.sm_100.untyped"})
final class VectorTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    private static int count(Shape shape) {
        return shape.threads() - shape.block() / 2;
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void fourFloats(Shape shape) {
        int n = count(shape);
        float[] in = gpu.inputs().floats(4 * n, -1, 1);
        long out = gpu.allocate(16L * n);
        gpu.kernel(ptx, "scale_float4").shape(shape).run(gpu.upload(in), out, 0.3f, n);
        float[] expected = new float[4 * n];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = in[i ^ 3] * 0.3f;
        }
        assertArrayEquals(expected, gpu.floats(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void twoInts(Shape shape) {
        int n = count(shape);
        int[] in = gpu.inputs().ints(2 * n);
        long out = gpu.allocate(8L * n);
        gpu.kernel(ptx, "swap_int2").shape(shape).run(gpu.upload(in), out, n);
        int[] expected = new int[2 * n];
        Arrays.setAll(expected, i -> i % 2 == 0 ? in[i + 1] : in[i - 1] - in[i]);
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void twoDoubles(Shape shape) {
        int n = count(shape);
        double[] in = gpu.inputs().doubles(2 * n, -1, 1);
        long out = gpu.allocate(8L * n);
        gpu.kernel(ptx, "double2_sum").shape(shape).run(gpu.upload(in), out, n);
        double[] expected = new double[n];
        Arrays.setAll(expected, i -> in[2 * i] - in[2 * i + 1]);
        assertArrayEquals(expected, gpu.doubles(out, n));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void fourBytes(Shape shape) {
        int n = count(shape);
        byte[] in = gpu.inputs().bytes(4 * n);
        long out = gpu.allocate(8L * n);
        gpu.kernel(ptx, "uchar4_mix").shape(shape).run(gpu.upload(in), out, n);
        short[] expected = new short[4 * n];
        for (int i = 0; i < n; i++) {
            int y = in[4 * i + 1] & 255;
            expected[4 * i] = (short) ((in[4 * i] & 255) - y);
            expected[4 * i + 1] = (short) (y * 2);
            expected[4 * i + 2] = (short) -(in[4 * i + 2] & 255);
            expected[4 * i + 3] = (short) ((in[4 * i + 3] & 255) + 1000);
        }
        assertArrayEquals(expected, gpu.shorts(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void signsAreExtended(Shape shape) {
        int n = count(shape);
        byte[] bytes = gpu.inputs().bytes(n);
        byte[] unsignedBytes = gpu.inputs().bytes(n);
        short[] shorts = gpu.inputs().shorts(n);
        short[] unsignedShorts = gpu.inputs().shorts(n);
        long out = gpu.allocate(4L * n);
        long narrowed = gpu.allocate(2L * n);
        gpu.kernel(ptx, "narrow")
                .shape(shape)
                .run(
                        gpu.upload(bytes),
                        gpu.upload(unsignedBytes),
                        gpu.upload(shorts),
                        gpu.upload(unsignedShorts),
                        out,
                        narrowed,
                        n);
        int[] expected = new int[n];
        short[] expectedNarrow = new short[n];
        for (int i = 0; i < n; i++) {
            int sum = bytes[i] * 3 + (unsignedBytes[i] & 255);
            sum = sum * 3 + shorts[i];
            expected[i] = sum * 3 + (unsignedShorts[i] & 0xffff);
            expectedNarrow[i] = (short) expected[i];
        }
        assertArrayEquals(expected, gpu.ints(out, n));
        assertArrayEquals(expectedNarrow, gpu.shorts(narrowed, n));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void readOnlyTriples(Shape shape) {
        int n = count(shape);
        float[] in = gpu.inputs().floats(3 * n, -1, 1);
        long out = gpu.allocate(4L * n);
        gpu.kernel(ptx, "triples").shape(shape).run(gpu.upload(in), out, n);
        float[] expected = new float[n];
        for (int i = 0; i < n; i++) {
            expected[i] = in[3 * i] - in[3 * i + 1] + in[3 * (n - 1 - i) + 2];
        }
        assertArrayEquals(expected, gpu.floats(out, n));
    }
}
