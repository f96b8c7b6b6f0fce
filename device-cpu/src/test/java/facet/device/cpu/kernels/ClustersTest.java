package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.device.DeviceError;
import facet.device.DeviceException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters with distributed shared memory, as nvcc makes them of cooperative groups. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ClustersTest {
    private static final String FILE = "clusters";

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16})
    void histogram(int blocks) {
        int bins = 24;
        int[] in = new int[20_000];
        int[] expected = new int[bins * blocks];
        int[] random = gpu.inputs().ints(in.length);
        for (int i = 0; i < in.length; i++) {
            in[i] = Math.floorMod(random[i], expected.length);
            expected[in[i]]++;
        }
        long out = gpu.upload(new int[expected.length]);
        gpu.kernel(FILE, "spread_histogram")
                .grid(2 * blocks)
                .block(96)
                .cluster(blocks)
                .shared(4 * bins)
                .run(gpu.upload(in), in.length, bins, out);
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 64})
    void ring(int rounds) {
        int gridX = 6;
        int gridY = 4;
        long out = gpu.upload(new int[gridX * gridY * 64]);
        gpu.kernel(FILE, "ring").grid(gridX, gridY).block(64).run(out, rounds);
        int[] expected = new int[gridX * gridY * 64];
        for (int i = 0; i < expected.length; i++) {
            int block = i / 64;
            int rank = block % gridX % 2 + 2 * (block / gridX % 2);
            expected[i] = Math.floorMod(rank - rounds, 4) * 1000 + i % 64 + rounds;
        }
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }

    @ParameterizedTest
    @CsvSource({"1, 32", "2, 64", "8, 256", "16, 1024"})
    void sums(int blocks, int threads) {
        int clusters = 5;
        int[] in = new int[clusters * blocks * threads];
        int[] random = gpu.inputs().ints(in.length);
        long[] expected = new long[clusters];
        for (int i = 0; i < in.length; i++) {
            in[i] = random[i] >> 16;
            expected[i / (blocks * threads)] += in[i];
        }
        long out = gpu.upload(new long[clusters]);
        gpu.kernel(FILE, "cluster_sum")
                .grid(clusters * blocks)
                .block(threads)
                .cluster(blocks)
                .run(gpu.upload(in), out);
        assertArrayEquals(expected, gpu.longs(out, clusters));
    }

    @Test
    void placesInThreeDimensions() {
        int[] grid = {4, 2, 6};
        int[] cluster = {2, 1, 3};
        int blocks = grid[0] * grid[1] * grid[2];
        long out = gpu.upload(new int[8 * blocks]);
        gpu.kernel(FILE, "places").grid(grid).block(8).cluster(cluster).run(out);
        int[] seen = gpu.ints(out, 8 * blocks);
        for (int block = 0; block < blocks; block++) {
            int x = block % 4 % 2;
            int z = block / 8 % 3;
            int[] expected = {x + 2 * z, 6, x, 0, z, 48, 5, 213};
            assertArrayEquals(
                    expected, Arrays.copyOfRange(seen, 8 * block, 8 * block + 8), "block " + block);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16, 255, 256, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void ranksThatAreNotThere(int rank) {
        long out = gpu.upload(new int[2]);
        DeviceException thrown =
                assertThrows(
                        DeviceException.class,
                        () -> gpu.kernel(FILE, "beyond").grid(2).cluster(2).run(out, rank));
        assertEquals(DeviceError.ILLEGAL_ADDRESS, thrown.error());
    }
}
