package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks and grids of two and three dimensions. */
final class TransposeTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @CsvSource({"1,1,8", "32,32,8", "33,65,8", "100,40,1", "64,31,32", "7,90,5"})
    void throughPaddedTile(int width, int height, int blockY) {
        float[] in = gpu.inputs().floats(width * height, -1, 1);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("transpose", "transpose")
                .grid((width + 31) / 32, (height + 31) / 32)
                .block(32, blockY)
                .run(gpu.upload(in), out, width, height);
        float[] expected = new float[in.length];
        for (int i = 0; i < in.length; i++) {
            expected[i % width * height + i / width] = in[i];
        }
        assertArrayEquals(expected, gpu.floats(out, in.length));
    }

    @ParameterizedTest
    @CsvSource({"1,1,1,1,1,1", "10,11,12,4,4,4", "33,5,3,31,1,2", "8,64,9,1,16,64", "5,5,70,2,3,5"})
    void axesOfAVolume(int nx, int ny, int nz, int bx, int by, int bz) {
        int[] in = gpu.inputs().ints(nx * ny * nz);
        long out = gpu.allocate(4L * in.length);
        gpu.kernel("transpose", "rotate_axes")
                .grid((nx + bx - 1) / bx, (ny + by - 1) / by, (nz + bz - 1) / bz)
                .block(bx, by, bz)
                .run(gpu.upload(in), out, nx, ny, nz);
        int[] expected = new int[in.length];
        for (int i = 0; i < in.length; i++) {
            int x = i % nx;
            int y = i / nx % ny;
            int z = i / nx / ny;
            expected[(x * nz + z) * ny + y] = in[i];
        }
        assertArrayEquals(expected, gpu.ints(out, in.length));
    }

    /** Every thread writes who it is. */
    @ParameterizedTest
    @CsvSource({"1,1,1,1,1,1", "2,3,4,5,6,7", "70,1,2,31,1,1", "1,5,1,8,8,16", "3,1,1,1,1,64"})
    void identity(int gx, int gy, int gz, int bx, int by, int bz) {
        int threads = bx * by * bz;
        int[] expected = new int[4 * gx * gy * gz * threads];
        for (int i = 0; i < expected.length / 4; i++) {
            int t = i % threads;
            int b = i / threads;
            expected[4 * i] = t % bx | t / bx % by << 10 | t / bx / by << 20;
            expected[4 * i + 1] = b % gx | b / gx % gy << 10 | b / gx / gy << 20;
            expected[4 * i + 2] = t % 32;
            expected[4 * i + 3] = gx;
        }
        long out = gpu.allocate(4L * expected.length);
        gpu.kernel("loops", "identity").grid(gx, gy, gz).block(bx, by, bz).run(out);
        assertArrayEquals(expected, gpu.ints(out, expected.length));
    }
}
