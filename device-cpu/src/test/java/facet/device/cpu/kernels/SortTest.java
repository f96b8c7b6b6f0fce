package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SortTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.POWERS)
    void bitonic(Shape shape) {
        int[] data = gpu.inputs().ints(shape.threads());
        long address = gpu.upload(data);
        gpu.kernel("sort", "bitonic").shape(shape).shared(4 * shape.block()).run(address);
        for (int b = 0; b < shape.grid(); b++) {
            Arrays.sort(data, b * shape.block(), (b + 1) * shape.block());
        }
        assertArrayEquals(data, gpu.ints(address, data.length));
    }

    /** The number of rounds depends on the data and differs between blocks. */
    @ParameterizedTest
    @CsvSource({"1,1", "3,2", "3,31", "4,33", "2,64", "3,100", "1,256"})
    void oddEven(int grid, int block) {
        float[] data = gpu.inputs().floats(grid * block, -1, 1);
        Arrays.sort(data, 0, block); // the first block is done after one round
        long address = gpu.upload(data);
        long rounds = gpu.allocate(4L * grid);
        gpu.kernel("sort", "odd_even")
                .grid(grid)
                .block(block)
                .shared(4 * block)
                .run(address, rounds);
        int[] expectedRounds = new int[grid];
        for (int b = 0; b < grid; b++) {
            expectedRounds[b] = oddEven(data, b * block, (b + 1) * block);
        }
        assertArrayEquals(data, gpu.floats(address, data.length));
        assertArrayEquals(expectedRounds, gpu.ints(rounds, grid));
    }

    private static int oddEven(float[] data, int from, int to) {
        boolean changed = true;
        int rounds = 0;
        while (changed) {
            changed = false;
            for (int phase = 0; phase < 2; phase++) {
                for (int i = from + phase; i + 1 < to; i += 2) {
                    if (data[i] > data[i + 1]) {
                        float low = data[i + 1];
                        data[i + 1] = data[i];
                        data[i] = low;
                        changed = true;
                    }
                }
            }
            rounds++;
        }
        return rounds;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 20})
    void radixPasses(int grid) {
        int[] data = gpu.inputs().ints(256 * grid);
        long from = gpu.upload(data);
        long to = gpu.allocate(4L * data.length);
        for (int shift = 0; shift < 32; shift += 4) {
            gpu.kernel("sort", "radix_pass").grid(grid).block(256).run(from, to, shift);
            long swap = from;
            from = to;
            to = swap;
            if (shift == 0) {
                assertArrayEquals(sortedByLowDigit(data), gpu.ints(from, data.length));
            }
        }
        int[] expected = new int[data.length];
        for (int b = 0; b < grid; b++) {
            int[] block =
                    Arrays.stream(data, 256 * b, 256 * b + 256)
                            .boxed()
                            .sorted(Integer::compareUnsigned)
                            .mapToInt(Integer::intValue)
                            .toArray();
            System.arraycopy(block, 0, expected, 256 * b, 256);
        }
        assertArrayEquals(expected, gpu.ints(from, data.length));
    }

    private static int[] sortedByLowDigit(int[] data) {
        int[] sorted = new int[data.length];
        int at = 0;
        for (int start = 0; start < data.length; start += 256) {
            for (int digit = 0; digit < 16; digit++) {
                for (int i = start; i < start + 256; i++) {
                    if ((data[i] & 15) == digit) {
                        sorted[at++] = data[i];
                    }
                }
            }
        }
        return sorted;
    }
}
