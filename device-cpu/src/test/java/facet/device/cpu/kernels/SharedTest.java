package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SharedTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void typedViews(Shape shape) {
        int n = shape.block();
        double[] in = gpu.inputs().doubles(shape.threads(), -10_000, 10_000);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("shared", "typed_views").shape(shape).shared(15 * n).run(gpu.upload(in), out, n);
        int[] expected = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            int whole = (int) in[i / n * n + n - 1 - i % n];
            int tripled = whole * 3;
            expected[i] = whole + tripled + (short) (tripled * 7) + (tripled & 255);
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 40})
    void genericPointers(int grid) {
        int[] in = gpu.inputs().ints(64);
        long out = gpu.allocate(256L * grid);
        gpu.kernel("shared", "generic_pointers")
                .grid(grid)
                .block(64)
                .shared(256)
                .run(gpu.upload(in), out);
        int[] expected = new int[64 * grid];
        for (int i = 0; i < expected.length; i++) {
            int t = i % 64;
            expected[i] =
                    switch (t % 4) {
                        case 0 -> in[63 - t] + 1;
                        case 1 -> in[63 - t] + 2;
                        case 2 -> in[63 - t];
                        default -> t * 10 + (t & 3);
                    };
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 40})
    void bytesReadAsWords(int grid) {
        byte[] in = gpu.inputs().bytes(256 * grid);
        long out = gpu.allocate(256L * grid);
        gpu.kernel("shared", "reinterpreted").grid(grid).block(64).run(gpu.upload(in), out);
        byte[] expected = new byte[in.length];
        for (int i = 0; i < in.length; i++) {
            expected[i] = in[i / 256 * 256 + (63 - i % 256 / 4) * 4 + i % 4];
        }
        assertArrayEquals(expected, gpu.bytes(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void everyBlockHasItsOwn(Shape shape) {
        long out = gpu.allocate(4L * shape.grid());
        gpu.kernel("shared", "block_private").shape(shape).run(out);
        int[] expected = new int[shape.grid()];
        Arrays.setAll(expected, b -> (b + 1) * shape.block());
        assertArrayEquals(expected, gpu.ints(out, shape.grid()));
    }
}
