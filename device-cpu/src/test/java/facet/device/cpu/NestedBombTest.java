package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that launch kernels without end: what others have of the device, and how they end. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NestedBombTest {
    private static final long MEMORY = 64L << 20;

    private static final String BUFFERS =
            """
            .version 9.0
            .target sm_75
            .address_size 64
            .extern .func (.param .b64 buffer) cudaGetParameterBuffer
                (.param .b64 alignment, .param .b64 bytes);
            .visible .entry hoard(.param .u64 count)
            {
                .reg .pred %p; .reg .b32 %r<3>; .reg .b64 %rd<3>;
                ld.param.u64 %rd0, [count];
                mov.u32 %r0, 0;
            AGAIN:
                {
                    .param .b64 alignment; .param .b64 bytes; .param .b64 buffer;
                    st.param.b64 [alignment], 64;
                    st.param.b64 [bytes], 100;
                    call (buffer), cudaGetParameterBuffer, (alignment, bytes);
                    ld.param.b64 %rd1, [buffer];
                }
                setp.eq.u64 %p, %rd1, 0;
                @%p bra FULL;
                add.u32 %r0, %r0, 1;
                bra AGAIN;
            FULL:
                st.global.u32 [%rd0], %r0;
                ret;
            }
            """;

    /**
     * Makes streams for as long as it gets any, and launches itself: it is there until that ends.
     */
    private static final String STREAMS =
            """
            .version 9.0
            .target sm_75
            .address_size 64
            .extern .func (.param .b32 e) cudaStreamCreateWithFlags
                (.param .b64 place, .param .b32 flags);
            .extern .func (.param .b64 b) cudaGetParameterBufferV2
                (.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 t[12], .param .b32 s);
            .extern .func (.param .b32 e) cudaLaunchDeviceV2 (.param .b64 b, .param .b64 s);
            .visible .entry hoard(.param .u64 counts)
            {
                .local .align 8 .b64 handle;
                .reg .pred %p; .reg .b32 %r<3>; .reg .b64 %rd<6>;
                ld.param.u64 %rd0, [counts];
                mov.u64 %rd2, handle;
                cvta.local.u64 %rd2, %rd2;
                mov.u32 %r0, 0;
            AGAIN:
                {
                    .param .b64 place; .param .b32 flags; .param .b32 e;
                    st.param.b64 [place], %rd2;
                    st.param.b32 [flags], 1;
                    call (e), cudaStreamCreateWithFlags, (place, flags);
                    ld.param.b32 %r1, [e];
                }
                setp.ne.u32 %p, %r1, 0;
                @%p bra FULL;
                add.u32 %r0, %r0, 1;
                bra AGAIN;
            FULL:
                st.global.u32 [%rd0], %r0;
                add.u64 %rd0, %rd0, 4;
                mov.u64 %rd3, hoard;
                {
                    .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 t[12];
                    .param .b32 s; .param .b64 b;
                    st.param.b64 [f], %rd3;
                    st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
                    st.param.b32 [t], 1; st.param.b32 [t+4], 1; st.param.b32 [t+8], 1;
                    st.param.b32 [s], 0;
                    call (b), cudaGetParameterBufferV2, (f, g, t, s);
                    ld.param.b64 %rd4, [b];
                }
                setp.eq.u64 %p, %rd4, 0;
                @%p ret;
                st.u64 [%rd4], %rd0;
                {
                    .param .b64 b; .param .b64 s; .param .b32 e;
                    st.param.b64 [b], %rd4;
                    st.param.b64 [s], 0;
                    call (e), cudaLaunchDeviceV2, (b, s);
                }
                ret;
            }
            """;

    private static String nested() {
        try (InputStream in =
                Objects.requireNonNull(
                        NestedBombTest.class.getResourceAsStream("/cuda/nested.ptx"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Device device(int seats) {
        return CpuDevice.create(CpuDevice.profile("test", 1L << 30, seats), seats);
    }

    private static int read(Context context, long address) {
        int[] value = new int[1];
        try (Stream stream = context.createStream()) {
            stream.copyFromDevice(MemorySegment.ofArray(value), address);
            stream.synchronize();
        }
        return value[0];
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aBombIsPausedAndStoppedAndItsNeighbourGoesOn(int seats) {
        try (Device device = device(seats);
                Context hostile =
                        device.createContext(
                                ContextOptions.of("bomb", MEMORY).withFaults(line -> {}));
                Context neighbour = device.createContext(ContextOptions.of("other", MEMORY));
                Stream stream = hostile.createStream()) {
            Kernel bomb = hostile.load(nested()).kernel("bomb");
            long begun = hostile.allocate(4);
            stream.launch(Launch.of(bomb, Dim.of(64), Dim.of(64), begun));
            while (read(hostile, begun) == 0) {
                Thread.onSpinWait();
            }
            addOneHundredTimes(neighbour);

            hostile.pause();
            long used = hostile.deviceNanos();
            addOneHundredTimes(neighbour);
            assertEquals(used, hostile.deviceNanos(), "time of a context that is paused");
            hostile.resume();

            hostile.stop();
            DeviceException error = assertThrows(DeviceException.class, stream::synchronize);
            assertEquals(DeviceError.LAUNCH_TIMEOUT, error.error());
            addOneHundredTimes(neighbour);
        }
    }

    private static void addOneHundredTimes(Context context) {
        Kernel add = context.load(Kernels.ADD).kernel("add");
        long cells = context.allocate(4 * 64);
        try (Stream stream = context.createStream()) {
            for (int i = 0; i < 100; i++) {
                stream.launch(Launch.of(add, Dim.of(1), Dim.of(64), cells, 64, 3));
            }
            stream.synchronize();
            int[] found = new int[64];
            stream.copyFromDevice(MemorySegment.ofArray(found), cells);
            stream.synchronize();
            int[] expected = new int[64];
            java.util.Arrays.fill(expected, 300);
            assertArrayEquals(expected, found);
        }
        context.free(cells);
    }

    /** As deep and wide as it may be, and in the end all that was taken is there again. */
    @Test
    void buffersThatNoLaunchUsesAreGivenBack() {
        ContextOptions usual = ContextOptions.of("hoard", MEMORY);
        ContextOptions small =
                new ContextOptions(
                        usual.name(),
                        usual.memory(),
                        64 << 10,
                        usual.localPerThread(),
                        usual.output(),
                        usual.faults(),
                        null,
                        null);
        try (Device device = device(2);
                Context context = device.createContext(small);
                Stream stream = context.createStream()) {
            Kernel hoard = context.load(BUFFERS).kernel("hoard");
            Kernel fan = context.load(nested()).kernel("fan");
            long count = context.allocate(4 * 64 * 200);
            for (int i = 0; i < 5; i++) {
                stream.launch(Launch.of(hoard, Dim.of(1), Dim.of(1), count));
                stream.synchronize();
                assertEquals((64 << 10) / 256, read(context, count), "round " + i);
                stream.launch(Launch.of(fan, Dim.of(7), Dim.of(32), count, 200));
                stream.synchronize();
                assertEquals(0, read(context, count));
            }
            assertTrue(context.fault().isEmpty());
        }
    }

    /** Each launch has a bound of its own; all that are there at once have one together. */
    @Test
    void launchesHaveNoMoreStreamsThanTheirContextMay() {
        try (Device device = device(2);
                Context context = device.createContext(ContextOptions.of("streams", MEMORY));
                Stream stream = context.createStream()) {
            Kernel hoard = context.load(STREAMS).kernel("hoard");
            long counts = context.allocate(4L * 64);
            for (int round = 0; round < 3; round++) {
                stream.fill(counts, 0, 4, 64);
                stream.launch(Launch.of(hoard, Dim.of(1), Dim.of(1), counts));
                stream.synchronize();
                int made = 0;
                for (int level = 0; level < 64; level++) {
                    made += read(context, counts + 4L * level);
                }
                assertEquals(4096, read(context, counts), "round " + round);
                assertEquals(NestedObjects.MOST, made, "round " + round);
            }
        }
    }
}
