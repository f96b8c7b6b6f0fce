package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls whose target is known only at run time. */
final class FunctionsTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void sameForAllThreads(int which) {
        int[] a = gpu.inputs().ints(200);
        int[] b = gpu.inputs().ints(200);
        long out = gpu.allocate(800);
        gpu.kernel("functions", "by_index")
                .grid(2)
                .block(100)
                .run(which, gpu.upload(a), gpu.upload(b), out);
        int[] expected = new int[200];
        for (int i = 0; i < 200; i++) {
            expected[i] = apply(which, a[i], b[i]);
        }
        assertArrayEquals(expected, gpu.ints(out, 200));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void differentInEachThread(Shape shape) {
        int n = shape.threads();
        int[] which = gpu.inputs().ints(n);
        int[] a = gpu.inputs().ints(n);
        int[] b = gpu.inputs().ints(n);
        long out = gpu.allocate(4L * n);
        gpu.kernel("functions", "by_thread")
                .shape(shape)
                .run(gpu.upload(which), gpu.upload(a), gpu.upload(b), out);
        int[] expected = new int[n];
        for (int i = 0; i < n; i++) {
            expected[i] = apply(which[i] & 3, a[i], b[i]) + apply(which[i] & 3, b[i], 3);
        }
        assertArrayEquals(expected, gpu.ints(out, n));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void keptInMemoryBetweenLaunches(int which) {
        int[] a = gpu.inputs().ints(64);
        int[] b = gpu.inputs().ints(64);
        long slot = gpu.allocate(8);
        long out = gpu.allocate(256);
        gpu.kernel("functions", "store_pointer").run(slot, which);
        gpu.kernel("functions", "call_pointer")
                .grid(2)
                .block(32)
                .run(slot, gpu.upload(a), gpu.upload(b), out);
        int[] expected = new int[64];
        for (int i = 0; i < 64; i++) {
            expected[i] = apply(which, a[i], b[i]);
        }
        assertArrayEquals(expected, gpu.ints(out, 64));
    }

    private static int apply(int which, int a, int b) {
        switch (which) {
            case 0:
                return a + b;
            case 1:
                return a - b;
            case 2:
                return a * b;
            default:
                int count = 0;
                int x = a;
                int y = b;
                while (y != 0) {
                    int rest = x % y;
                    x = y;
                    y = rest;
                    count++;
                }
                return count * 1000 + x;
        }
    }

    /** Objects are made on the device's heap by one launch and used by the next. */
    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 256})
    void virtualFunctions(int block) {
        int n = 3 * block;
        float[] sizes = gpu.inputs().floats(n, 0, 10);
        long shapes = gpu.allocate(8L * n);
        long areas = gpu.allocate(4L * n);
        long corners = gpu.allocate(4L * n);
        gpu.kernel("functions", "virtual_make").grid(3).block(block).run(shapes, gpu.upload(sizes));
        gpu.kernel("functions", "virtual_use").grid(3).block(block).run(shapes, areas, corners);
        gpu.kernel("functions", "virtual_delete").grid(3).block(block).run(shapes);
        float[] expectedAreas = new float[n];
        int[] expectedCorners = new int[n];
        for (int i = 0; i < n; i++) {
            float size = sizes[i];
            expectedAreas[i] =
                    switch (i % 3) {
                        case 0 -> size * size;
                        case 1 -> size * 2;
                        default -> 3 * size * size;
                    };
            expectedCorners[i] = i % 3 == 2 ? 0 : 4;
        }
        assertArrayEquals(expectedAreas, gpu.floats(areas, n));
        assertArrayEquals(expectedCorners, gpu.ints(corners, n));
        assertArrayEquals(new long[n], gpu.longs(shapes, n));
    }
}
