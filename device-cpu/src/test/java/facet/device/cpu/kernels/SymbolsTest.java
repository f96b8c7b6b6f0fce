package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.LoadedModule;
import facet.device.cpu.kernels.Shapes.Shape;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Constant memory and device variables. */
final class SymbolsTest {
    private static final int[] COEFFICIENTS = {1, -2, 3, -4, 5, -6, 7, -8};

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void constants(Shape shape) {
        int n = shape.threads() - shape.block() / 2;
        int[] in = gpu.inputs().ints(n, -1000, 1000);
        int[] uploaded = gpu.inputs().ints(64, -1000, 1000);
        LoadedModule.Variable variable = gpu.module("symbols").variable("uploaded");
        assertEquals(256, variable.bytes());
        gpu.write(variable.address(), MemorySegment.ofArray(uploaded));
        long out = gpu.allocate(8L * n);
        gpu.kernel("symbols", "constants").shape(shape).run(gpu.upload(in), out, n);
        double[] expected = new double[n];
        for (int i = 0; i < n; i++) {
            int sum = 0;
            for (int k = 0; k < 8; k++) {
                sum += COEFFICIENTS[(i + k) & 7] * in[i] * (k + 1);
            }
            expected[i] = sum * 0.25 + uploaded[in[i] & 63];
        }
        assertArrayEquals(expected, gpu.doubles(out, n));
    }

    @Test
    void initialisersWithAddresses() {
        gpu.reload("symbols");
        long[] expected = {30, 40, 20, 20, 3, 10, 1, 56, '!', 'o', 255, -301, 11, 0};
        assertArrayEquals(expected, pointers());
    }

    @Test
    void variablesKeepTheirValueBetweenLaunches() {
        LoadedModule module = gpu.reload("symbols");
        gpu.kernel("symbols", "bump").block(8).run(100);
        gpu.kernel("symbols", "bump").block(8).run(1);
        LoadedModule.Variable counters = module.variable("counters");
        assertEquals(16, counters.bytes());
        assertArrayEquals(new int[] {212, 222, 232, 242}, gpu.ints(counters.address(), 4));
        assertEquals(101, gpu.longs(module.variable("untouched").address(), 1)[0]);
        assertEquals(
                counters.address(), gpu.longs(module.variable("counterPointer").address(), 1)[0]);
        long[] expected = {212, 222, 222, 20, 3, 10, 1, 56, '!', 'o', 255, -301, 11, 101};
        assertArrayEquals(expected, pointers());
    }

    private static long[] pointers() {
        long out = gpu.allocate(8 * 14);
        gpu.kernel("symbols", "pointers").block(2).run(out);
        return gpu.longs(out, 14);
    }

    @Test
    void unknownNames() {
        LoadedModule module = gpu.module("symbols");
        DeviceException kernel =
                assertThrows(DeviceException.class, () -> module.kernel("no_such_kernel"));
        assertEquals(DeviceError.NOT_FOUND, kernel.error());
        DeviceException variable =
                assertThrows(DeviceException.class, () -> module.variable("noSuchVariable"));
        assertEquals(DeviceError.NOT_FOUND, variable.error());
    }
}
