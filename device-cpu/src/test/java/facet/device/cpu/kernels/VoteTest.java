package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"vote", "vote.sm_100"})
final class VoteTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    /** The last warp of a block may be broken: its missing lanes are in no mask. */
    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void activeLanesVote(Shape shape) {
        int n = shape.block();
        int[] in = gpu.inputs().ints(shape.threads(), 0, 100);
        long out = gpu.allocate(16L * in.length);
        gpu.kernel(ptx, "votes").shape(shape).run(gpu.upload(in), out);
        int[] expected = new int[4 * in.length];
        for (int i = 0; i < in.length; i++) {
            int first = i / n * n + i % n / 32 * 32;
            int lanes = Math.min(32, i / n * n + n - first);
            expected[4 * i] = ballot(lanes, lane -> in[first + lane] > 50);
            expected[4 * i + 1] = ballot(lanes, lane -> in[first + lane] > 90) != 0 ? 1 : 0;
            expected[4 * i + 2] = ballot(lanes, lane -> in[first + lane] <= 5) == 0 ? 1 : 0;
            expected[4 * i + 3] = ballot(lanes, lane -> true);
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void explicitMasksInBranches(Shape shape) {
        int[] in = gpu.inputs().ints(shape.threads(), 0, 100);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "divergent").shape(shape).run(gpu.upload(in), out);
        int[] expected = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            int lane = i % 32;
            int warp = i - lane;
            if (lane < 10) {
                expected[i] = ballot(10, l -> in[warp + l] % 2 == 1);
                expected[i] |= lane < 4 ? ballot(4, l -> (in[warp + l] & 2) != 0) << 16 : 0;
            } else if (lane < 20) {
                expected[i] = IntStream.range(10, 20).anyMatch(l -> in[warp + l] > 95) ? 1 : 2;
            } else {
                expected[i] = IntStream.range(20, 32).allMatch(l -> in[warp + l] > 10) ? 3 : 4;
            }
        }
        int[] before = expected.clone();
        Arrays.setAll(
                expected, i -> before[i] ^ ballot(32, l -> before[(i & ~31) + l] % 2 != 0) << 8);
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.WARPS)
    void lanesLeaveALoop(Shape shape) {
        int[] trips = gpu.inputs().ints(shape.threads(), 0, 20);
        long out = gpu.allocate(4L * trips.length);
        gpu.kernel(ptx, "shrinking").shape(shape).run(gpu.upload(trips), out);
        int[] expected = new int[trips.length];
        for (int i = 0; i < trips.length; i++) {
            int warp = i & ~31;
            for (int trip = 1; trip <= trips[i]; trip++) {
                int now = trip;
                expected[i] = expected[i] * 31 + ballot(32, l -> now < trips[warp + l]);
            }
        }
        assertArrayEquals(expected, gpu.ints(out, trips.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void activeMaskOfABranch(Shape shape) {
        long out = gpu.allocate(4L * shape.threads());
        gpu.kernel(ptx, "active").shape(shape).run(out);
        int[] expected = new int[shape.threads()];
        Arrays.setAll(expected, i -> (i % shape.block() % 4 + 1) * 10 + 1);
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    /** The order is free, the elements are not. */
    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void leaderTakesTickets(Shape shape) {
        int n = shape.threads() - shape.block() / 3;
        int[] in = gpu.inputs().ints(n, -100, 100);
        int[] expected = Arrays.stream(in).filter(v -> v > 0).sorted().toArray();
        long counter = gpu.allocate(4);
        long out = gpu.allocate(4L * n);
        gpu.kernel(ptx, "leader_ticket").shape(shape).run(gpu.upload(in), counter, out, n);
        assertEquals(expected.length, gpu.ints(counter, 1)[0]);
        int[] found = gpu.ints(out, expected.length);
        Arrays.sort(found);
        assertArrayEquals(expected, found);
    }

    static int ballot(int lanes, IntPredicate vote) {
        return IntStream.range(0, lanes).filter(vote).map(l -> 1 << l).sum();
    }
}
