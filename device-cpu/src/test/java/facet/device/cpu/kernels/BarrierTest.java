package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"barrier", "barrier.sm_100"})
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BarrierTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    /** Lanes, whole warps, or all threads but one leave before the barrier. */
    @ParameterizedTest
    @CsvSource({"1,1", "31,5", "32,32", "33,32", "64,20", "100,65", "256,1", "1024,1000"})
    void earlyExit(int block, int n) {
        int grid = 3;
        int[] in = gpu.inputs().ints(grid * n);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "early_exit")
                .grid(grid)
                .block(block)
                .shared(4 * n)
                .run(gpu.upload(in), out, n);
        int[] expected = new int[in.length];
        Arrays.setAll(expected, i -> in[i / n * n + n - 1 - i % n]);
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void oneThreadLessEachRound(Shape shape) {
        long out = gpu.allocate(4L * shape.threads());
        gpu.kernel(ptx, "staircase").shape(shape).run(out);
        int[] expected = new int[shape.threads()];
        Arrays.setAll(expected, i -> shape.block() - i % shape.block());
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void tripsFromData(Shape shape) {
        int n = shape.block();
        int[] trips = gpu.inputs().ints(shape.grid(), 0, 20);
        trips[0] = 0;
        long out = gpu.allocate(4L * shape.threads());
        gpu.kernel(ptx, "uniform_trips").shape(shape).shared(4 * n).run(gpu.upload(trips), out);
        int[] expected = new int[shape.threads()];
        Arrays.setAll(expected, i -> (i % n + trips[i / n]) % n + trips[i / n] / 2);
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void endDecidedInSharedMemory(Shape shape) {
        int n = shape.block();
        int limit = 1 << 20;
        int[] data = gpu.inputs().ints(shape.threads(), 1, 100);
        long address = gpu.upload(data);
        long rounds = gpu.allocate(4L * shape.grid());
        gpu.kernel(ptx, "shared_decision").shape(shape).run(address, limit, rounds);
        int[] expectedRounds = new int[shape.grid()];
        for (int b = 0; b < shape.grid(); b++) {
            while (Arrays.stream(data, b * n, b * n + n).sum() < limit) {
                for (int t = 0; t < n; t++) {
                    data[b * n + t] = data[b * n + t] * 2 + (t & 1);
                }
                expectedRounds[b]++;
            }
        }
        assertArrayEquals(data, gpu.ints(address, data.length));
        assertArrayEquals(expectedRounds, gpu.ints(rounds, shape.grid()));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void countAndOr(Shape shape) {
        int n = shape.block();
        int[] in = gpu.inputs().ints(shape.threads(), 0, 94);
        Arrays.setAll(in, i -> i < n ? in[i] + 1 : in[i]);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "counting").shape(shape).run(gpu.upload(in), out);
        int[] expected = new int[in.length];
        for (int b = 0; b < shape.grid(); b++) {
            int[] block = Arrays.copyOfRange(in, b * n, b * n + n);
            int odd = (int) Arrays.stream(block).filter(v -> v % 2 == 1).count();
            int all = Arrays.stream(block).allMatch(v -> v > 0) ? 2 : 0;
            int any = Arrays.stream(block).anyMatch(v -> v > 90) ? 1 : 0;
            Arrays.fill(expected, b * n, b * n + n, 4 * odd + all + any);
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void inBothArms(Shape shape) {
        int n = shape.block();
        long out = gpu.allocate(4L * shape.threads());
        gpu.kernel(ptx, "in_branches").shape(shape).run(out);
        int[] expected = new int[shape.threads()];
        for (int i = 0; i < expected.length; i++) {
            int t = i % n;
            int next = (t + 1) % n;
            expected[i] = i / n % 2 == 1 ? (n - 1 - t) * (n - 1 - t) : -(next * next + 1);
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 40})
    void named(int grid) {
        long out = gpu.allocate(4L * 128 * grid);
        gpu.kernel(ptx, "named").grid(grid).block(128).run(out);
        int[] expected = new int[128 * grid];
        for (int i = 0; i < expected.length; i++) {
            int t = 127 - i % 128;
            expected[i] = t < 64 ? (t + 3) % 64 : 64 + (t + 7) % 64;
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 40})
    void arriveWithoutWaiting(int grid) {
        long out = gpu.allocate(4L * 64 * grid);
        gpu.kernel(ptx, "arrive").grid(grid).block(128).run(out);
        int[] expected = new int[64 * grid];
        Arrays.setAll(expected, i -> (63 - i % 64) * 3 + 1);
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }
}
