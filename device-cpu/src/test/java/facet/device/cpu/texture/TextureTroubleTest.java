package facet.device.cpu.texture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import facet.device.TextureDescription;
import facet.device.TextureDescription.Format;
import facet.device.TextureDescription.Level;
import facet.device.TextureDescription.Shape;
import facet.device.cpu.CpuDevice;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Descriptions that lead out of the context's memory, and handles that are none. */
@Timeout(300)
final class TextureTroubleTest {
    private static final String STORE =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry k(.param .u64 s, .param .u32 y, .param .u32 z)
            {
                .reg .b32 %r<8>; .reg .b64 %rd<4>;
                ld.param.u64 %rd0, [s];
                ld.param.u32 %r0, [y];
                ld.param.u32 %r1, [z];
                mov.u32 %r2, 0;
                sust.b.3d.b32.trap [%rd0, {%r2, %r0, %r1, %r1}], {%r2};
                ret;
            }
            """;

    private final Device device = CpuDevice.create(CpuDevice.profile("small", 64 << 20, 2), 2);

    @AfterEach
    void close() {
        device.close();
    }

    private static TextureDescription surface(long address, long pitch, long slice) {
        Level level = new Level(address, pitch, slice, 4, 1 << 20, 1 << 20);
        return new TextureDescription(Shape.PLAIN, Format.U32, 1, List.of(level), null);
    }

    private DeviceError store(long distance, long pitch, long slice, int y, int z) {
        try (Context context = device.createContext(ContextOptions.of("trouble", 4 << 20))) {
            Stream stream = context.createStream();
            Kernel kernel = context.load(STORE).kernel("k");
            long memory = context.allocate(1 << 20);
            context.createTexture(7, surface(memory + distance, pitch, slice));
            stream.launch(Launch.of(kernel, Dim.of(1), Dim.of(1), 7L, y, z));
            return assertThrows(DeviceException.class, stream::synchronize).error();
        }
    }

    @Test
    void descriptionsLeadNowhere() {
        long[] distances = {1L << 31, 1L << 32, 1L << 40, 1L << 47, 1L << 62, Long.MAX_VALUE - 3};
        for (long distance : distances) {
            assertEquals(DeviceError.ILLEGAL_ADDRESS, store(distance & -4, 16, 16, 0, 0));
            assertEquals(DeviceError.ILLEGAL_ADDRESS, store(-distance & -4, 16, 16, 0, 0));
            assertEquals(DeviceError.ILLEGAL_ADDRESS, store(0, distance & -4, 16, 1, 0));
            assertEquals(DeviceError.ILLEGAL_ADDRESS, store(0, 16, -distance & -4, 0, 1));
        }
        // Products of rows and pitch that come round are addresses like others.
        assertEquals(DeviceError.ILLEGAL_ADDRESS, store(0, 1L << 43, 16, (1 << 20) - 1, 0));
    }

    @Test
    void handlesHavePlaces() {
        try (Context context = device.createContext(ContextOptions.of("trouble", 4 << 20))) {
            TextureDescription description = surface(context.allocate(4096), 16, 16);
            context.createTexture(5, description);
            assertEquals(DeviceError.INVALID_VALUE, refused(context, 0, description));
            assertEquals(DeviceError.INVALID_VALUE, refused(context, 5, description));
            assertEquals(DeviceError.INVALID_VALUE, refused(context, 5 | 1L << 40, description));
            assertThrows(DeviceException.class, () -> context.destroyTexture(5 | 1L << 40));
            context.destroyTexture(5);
            assertThrows(DeviceException.class, () -> context.destroyTexture(5));
            context.createTexture(5 | 1L << 40, description);
        }
        Level nothing = new Level(0, 0, 0, 0, 1, 1);
        assertThrows(
                DeviceException.class,
                () -> new TextureDescription(Shape.PLAIN, Format.U8, 1, List.of(nothing), null));
    }

    private static DeviceError refused(Context context, long handle, TextureDescription of) {
        return assertThrows(DeviceException.class, () -> context.createTexture(handle, of)).error();
    }
}
