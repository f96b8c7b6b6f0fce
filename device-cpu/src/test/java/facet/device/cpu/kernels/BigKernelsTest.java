package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.cpu.kernels.Shapes.Shape;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels larger than the JVM compiles in one method, and with more live values than registers. */
final class BigKernelsTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private static byte[] sha256(byte[] message) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(message);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"unrolled,1", "unrolled,33", "unrolled,256", "unrolled.sm_100,100"})
    void withoutLoops(String ptx, int block) {
        int n = 3 * block - block / 2;
        byte[] messages = gpu.inputs().bytes(64 * n);
        long digests = gpu.allocate(32L * n);
        gpu.kernel(ptx, "double_sha256").grid(3).block(block).run(gpu.upload(messages), digests, n);
        byte[] expected = new byte[32 * n];
        for (int i = 0; i < n; i++) {
            byte[] message = Arrays.copyOfRange(messages, 64 * i, 64 * i + 64);
            System.arraycopy(sha256(sha256(message)), 0, expected, 32 * i, 32);
        }
        assertArrayEquals(expected, gpu.bytes(digests, expected.length));
    }

    /** Threads leave the loop after different numbers of trips, some before the first. */
    @ParameterizedTest
    @ValueSource(ints = {1, 33, 128})
    void loopWithALargeBody(int block) {
        int n = 3 * block;
        byte[] seeds = gpu.inputs().bytes(32 * n);
        int[] lengths = gpu.inputs().ints(n, 0, 6);
        long digests = gpu.allocate(32L * n);
        gpu.kernel("bigloop", "sha256_chain")
                .grid(3)
                .block(block)
                .run(gpu.upload(seeds), gpu.upload(lengths), digests);
        byte[] expected = new byte[32 * n];
        for (int i = 0; i < n; i++) {
            byte[] digest = Arrays.copyOfRange(seeds, 32 * i, 32 * i + 32);
            for (int k = 0; k < 2 * lengths[i]; k++) {
                digest = sha256(digest);
            }
            System.arraycopy(digest, 0, expected, 32 * i, 32);
        }
        assertArrayEquals(expected, gpu.bytes(digests, expected.length));
    }

    @ParameterizedTest
    @ValueSource(strings = {"liveregs", "liveregs.sm_100"})
    void manyValuesLiveAcrossBarriers(String ptx) {
        for (Shape shape : Shapes.any().toList()) {
            int n = shape.block();
            int rounds = 5;
            int[] in = gpu.inputs().ints(shape.threads());
            long out = gpu.allocate(256L * in.length);
            gpu.kernel(ptx, "live_across")
                    .shape(shape)
                    .shared(4 * n)
                    .run(gpu.upload(in), out, rounds);
            int[][] live = new int[in.length][64];
            for (int i = 0; i < in.length; i++) {
                int value = in[i];
                Arrays.setAll(live[i], k -> value * (k + 1) + k);
            }
            for (int round = 0; round < rounds; round++) {
                int[] box = Arrays.stream(live).mapToInt(v -> v[0]).toArray();
                for (int i = 0; i < in.length; i++) {
                    for (int k = 0; k < 63; k++) {
                        live[i][k] = live[i][k + 1] ^ live[i][k] >> 3;
                    }
                    live[i][63] = box[i / n * n + (i + 1) % n];
                }
            }
            int[] expected = Arrays.stream(live).flatMapToInt(Arrays::stream).toArray();
            assertArrayEquals(expected, gpu.ints(out, expected.length), shape.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"liveregs", "liveregs.sm_100", "liveregs.sm_100.untyped"})
    void manyValuesLiveAcrossShuffles(String ptx) {
        float[] in = gpu.inputs().floats(3 * 64, -1, 1);
        long out = gpu.allocate(8L * in.length);
        gpu.kernel(ptx, "live_across_shuffles").grid(3).block(64).run(gpu.upload(in), out);
        float[][] f = new float[in.length][16];
        double[][] d = new double[in.length][16];
        for (int i = 0; i < in.length; i++) {
            for (int k = 0; k < 16; k++) {
                f[i][k] = in[i] + k;
                d[i][k] = in[i] * (double) (k + 1);
            }
        }
        for (int k = 0; k < 16; k++) {
            float[] sent = new float[in.length];
            for (int i = 0; i < in.length; i++) {
                sent[i] = f[i][k];
            }
            for (int i = 0; i < in.length; i++) {
                float got = sent[i ^ k + 1];
                d[i][(k + 5) & 15] += got;
                f[i][(k + 3) & 15] -= got;
            }
        }
        double[] expected = new double[in.length];
        for (int i = 0; i < in.length; i++) {
            for (int k = 0; k < 16; k++) {
                expected[i] = expected[i] + d[i][k] + f[i][k];
            }
        }
        assertArrayEquals(expected, gpu.doubles(out, in.length));
    }

    /** The PTX is as large as this test says. */
    @Test
    void sizes() {
        assertTrue(instructions("unrolled") > 3000);
        assertTrue(instructions("bigloop") > 2500);
    }

    private static long instructions(String ptx) {
        return KernelRunner.ptx(ptx).lines().filter(line -> line.matches("\\s+@?[a-z].*;")).count();
    }
}
