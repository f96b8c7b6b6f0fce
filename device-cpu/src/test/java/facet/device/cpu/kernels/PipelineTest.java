package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code cuda::pipeline}, {@code cuda::barrier} and the copies of cooperative groups, as nvcc makes
 * them for sm_80 and, with bulk copies, for sm_90.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PipelineTest {
    private static final int BLOCKS = 3;
    private static final int THREADS = 96;

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @ValueSource(strings = {"pipeline", "pipeline.sm_90"})
    void sums(String file) {
        int tiles = 7;
        int[] in = gpu.inputs().ints(BLOCKS * tiles * THREADS);
        long out = gpu.upload(0L);
        gpu.kernel(file, "sum_pipeline")
                .grid(BLOCKS)
                .block(THREADS)
                .shared(8 * THREADS)
                .run(gpu.upload(in), out, tiles);
        assertEquals(Arrays.stream(in).asLongStream().sum(), gpu.longs(out, 1)[0]);
    }

    private static int[] reversed(int[] in, int factor) {
        int[] out = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            out[i] = in[i / THREADS * THREADS + THREADS - 1 - i % THREADS] * factor;
        }
        return out;
    }

    @ParameterizedTest
    @ValueSource(strings = {"pipeline", "pipeline.sm_90"})
    void reverses(String file) {
        int[] in = gpu.inputs().ints(BLOCKS * THREADS);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel(file, "reverse_barrier")
                .grid(BLOCKS)
                .block(THREADS)
                .shared(4 * THREADS)
                .run(gpu.upload(in), out);
        assertArrayEquals(reversed(in, 1), gpu.ints(out, in.length));
        gpu.kernel(file, "reverse_groups")
                .grid(BLOCKS)
                .block(THREADS)
                .shared(8 * THREADS)
                .run(gpu.upload(in), out);
        assertArrayEquals(reversed(in, 2), gpu.ints(out, in.length));
    }
}
