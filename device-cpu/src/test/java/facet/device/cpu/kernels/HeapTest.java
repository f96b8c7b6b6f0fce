package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** malloc and free in kernels. */
final class HeapTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    /** In all more than the heap of 8 MiB: the memory must be used again. */
    @ParameterizedTest
    @ValueSource(ints = {1, 33, 256})
    void lists(int block) {
        int n = 3 * block;
        int[] lengths = gpu.inputs().ints(n, 0, 100);
        long in = gpu.upload(lengths);
        long out = gpu.allocate(8L * n);
        long[] expected = new long[n];
        for (int i = 0; i < n; i++) {
            for (int k = lengths[i] - 1; k >= 0; k--) {
                expected[i] = expected[i] * 3 + i + k;
            }
        }
        for (int round = 0; round < 30; round++) {
            gpu.kernel("heap", "list_sum").grid(3).block(block).run(in, out);
            assertArrayEquals(expected, gpu.longs(out, n), "round " + round);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 128})
    void memoryOutlivesTheKernel(int block) {
        int n = 3 * block;
        int count = 50;
        long slots = gpu.allocate(8L * n);
        long out = gpu.allocate(4L * n);
        gpu.kernel("heap", "heap_fill").grid(3).block(block).run(slots, count);
        long[] addresses = gpu.longs(slots, n);
        Arrays.sort(addresses);
        for (int i = 1; i < n; i++) {
            if (addresses[i] - addresses[i - 1] < 4 * count) {
                throw new AssertionError("two blocks of the heap overlap");
            }
        }
        gpu.kernel("heap", "heap_read").grid(3).block(block).run(slots, count, out);
        int[] expected = new int[n];
        Arrays.setAll(expected, i -> i * count * count + count * (count - 1) / 2);
        assertArrayEquals(expected, gpu.ints(out, n));
    }

    @Test
    void tooLargeGivesNull() {
        long out = gpu.allocate(8);
        gpu.kernel("heap", "heap_full").run(1L << 40, out);
        assertArrayEquals(new int[] {1, 1}, gpu.ints(out, 2));
    }
}
