package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MatchTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void any(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), 0, 9);
        long[] wide = Arrays.stream(in).mapToLong(v -> (long) (v % 3) << 40 | v % 2).toArray();
        long out = gpu.allocate(8L * in.length);
        gpu.kernel("match", "match_any").shape(shape).run(gpu.upload(in), gpu.upload(wide), out);
        int[] expected = new int[2 * in.length];
        for (int i = 0; i < in.length; i++) {
            int me = i;
            int warp = i & ~31;
            expected[2 * i] = VoteTest.ballot(32, l -> in[warp + l] == in[me]);
            expected[2 * i + 1] = VoteTest.ballot(32, l -> wide[warp + l] == wide[me]);
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    /** Every third warp agrees on the ints, every second on the doubles. */
    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void all(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), 0, 2);
        double[] wide = gpu.inputs().doubles(shape.threads(), 0, 1);
        for (int i = 0; i < in.length; i++) {
            in[i] = i / 32 % 3 == 0 ? 5 : in[i];
            wide[i] = i / 32 % 2 == 0 ? 0.5 : wide[i];
        }
        long out = gpu.allocate(8L * in.length);
        gpu.kernel("match", "match_all").shape(shape).run(gpu.upload(in), gpu.upload(wide), out);
        int[] expected = new int[2 * in.length];
        for (int i = 0; i < in.length; i++) {
            int warp = i & ~31;
            boolean same = IntStream.range(0, 32).allMatch(l -> in[warp + l] == in[warp]);
            expected[2 * i] = same ? ~0x80 : 0;
            expected[2 * i + 1] = i / 32 % 2 == 0 ? ~0x80 : 0;
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void inBranches(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), 0, 5);
        for (int i = 0; i < in.length; i++) {
            in[i] = i / 32 % 2 == 0 ? in[i] & 3 : in[i];
        }
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("match", "match_divergent").shape(shape).run(gpu.upload(in), out);
        int[] expected = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            int me = i;
            int warp = i & ~31;
            boolean same =
                    IntStream.range(16, 32).allMatch(l -> in[warp + l] >> 2 == in[warp + 16] >> 2);
            expected[i] =
                    i % 32 < 16
                            ? VoteTest.ballot(16, l -> in[warp + l] == in[me])
                            : same ? 0xffff0000 : 7;
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }
}
