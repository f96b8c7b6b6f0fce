package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.LoadedModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Initial values of variables (PTX ISA 5.4.4). */
final class InitializersTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private static int[] values(String declaration, int count) {
        String text = ".version 9.0\n.target sm_90\n.address_size 64\n" + declaration;
        try (LoadedModule module = gpu.context().load(text)) {
            return gpu.ints(module.variable("x").address(), count);
        }
    }

    @Test
    void nestedLists() {
        assertArrayEquals(
                new int[] {1, 2, 3, 0, 5, 0, 0, 8},
                values(".global .u32 x[2][2][2] = {{{1, 2}, {3}}, {{5}, {0, 8}}};", 8));
        assertArrayEquals(
                new int[] {1, 0, 3, 4}, values(".global .u32 x[2][2] = {{1}, {3, 4}};", 4));
        assertArrayEquals(
                new int[] {1, 2, 3, 4, 0, 0, 0, 0},
                values(".global .v4 .u32 x[2] = {{1, 2, 3, 4}};", 8));
    }

    @Test
    void tooMany() {
        DeviceException e =
                assertThrows(
                        DeviceException.class, () -> values(".global .u32 x[2] = {1, 2, 3};", 2));
        assertEquals(DeviceError.INVALID_PTX, e.error());
    }
}
