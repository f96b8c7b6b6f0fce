package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"branches", "branches.sm_100"})
final class BranchesTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Parameter String ptx = "";

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void denseSwitch(Shape shape) {
        int n = shape.threads() - shape.block() / 2;
        int[] in = gpu.inputs().ints(n, -1, 13);
        int[] before = gpu.inputs().ints(n);
        long out = gpu.upload(before);
        gpu.kernel(ptx, "dense_switch").shape(shape).run(gpu.upload(in), out, n);
        int[] expected = new int[n];
        for (int i = 0; i < n; i++) {
            expected[i] =
                    switch (in[i]) {
                        case 0 -> 11;
                        case 1 -> 13;
                        case 2 -> before[i] + 1;
                        case 3 -> i * 3 + 1000;
                        case 4 -> 1001;
                        case 5 -> i % 7;
                        case 6 -> i / 7;
                        case 7 -> ~i;
                        case 8 -> i << 4;
                        case 9 -> i ^ 0x55;
                        case 10 -> before[i];
                        default -> -in[i];
                    };
        }
        assertArrayEquals(expected, gpu.ints(out, n));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void sparseSwitch(Shape shape) {
        int[] cases = {7, -1_000_000, -5, 77, 78, 123_456, Integer.MAX_VALUE};
        int[] expected = gpu.inputs().ints(shape.threads(), 0, cases.length);
        int[] in = Arrays.stream(expected).map(k -> cases[k]).toArray();
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(ptx, "sparse_switch").shape(shape).run(gpu.upload(in), out);
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 100})
    void primes(int block) {
        int[] limits = gpu.inputs().ints(2 * block, 0, 500);
        long out = gpu.allocate(4L * limits.length);
        gpu.kernel(ptx, "primes").grid(2).block(block).run(gpu.upload(limits), out);
        int[] expected =
                Arrays.stream(limits)
                        .map(limit ->
                                (int)
                                        IntStream.range(2, limit)
                                                .filter(BranchesTest::isPrime)
                                                .count())
                        .toArray();
        assertArrayEquals(expected, gpu.ints(out, limits.length));
    }

    private static boolean isPrime(int p) {
        return IntStream.range(2, p).noneMatch(d -> p % d == 0);
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void binarySearch(Shape shape) {
        int[] sorted = gpu.inputs().ints(777, 0, 3000);
        Arrays.sort(sorted);
        int[] wanted = gpu.inputs().ints(shape.threads(), -10, 3010);
        long out = gpu.allocate(4L * wanted.length);
        gpu.kernel(ptx, "lower_bound")
                .shape(shape)
                .run(gpu.upload(sorted), sorted.length, gpu.upload(wanted), out);
        int[] expected = new int[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            int low = 0;
            while (low < sorted.length && sorted[low] < wanted[i]) {
                low++;
            }
            boolean found = low < sorted.length && sorted[low] == wanted[i];
            expected[i] = found ? low : ~low;
        }
        assertArrayEquals(expected, gpu.ints(out, wanted.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void wordsByGoto(Shape shape) {
        int length = 24;
        byte[] text = new byte[length * shape.threads()];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) "  ab7".charAt(gpu.inputs().below(5));
        }
        long out = gpu.allocate(4L * shape.threads());
        gpu.kernel(ptx, "state_machine").shape(shape).run(gpu.upload(text), length, out);
        int[] expected = new int[shape.threads()];
        for (int i = 0; i < expected.length; i++) {
            String mine = new String(text, i * length, length, StandardCharsets.US_ASCII);
            int words =
                    (int) Arrays.stream(mine.split(" ")).filter(word -> !word.isEmpty()).count();
            expected[i] = words * 1000 + (int) mine.chars().filter(Character::isDigit).count();
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }
}
