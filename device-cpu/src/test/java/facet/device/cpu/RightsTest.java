package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.device.Box;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Memory;
import facet.device.Stream;
import facet.device.Window;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory beside a context's own that it may read and not write. */
@Timeout(300)
final class RightsTest {
    private static final long PLACE = 0x6500_0000_0000L;
    private static final long BYTES = 1 << 20;
    private static final int THREADS = 4096;

    private final Device device = CpuDevice.create();
    private final Memory memory = device.createMemory("test", BYTES);
    private final MemorySegment bytes = memory.mapping().orElseThrow().segment();
    private final Context context =
            device.createContext(ContextOptions.of("rights", 8 << 20).withFaults(line -> {}));
    private final Stream stream = context.createStream();

    @AfterEach
    void close() {
        device.close();
        memory.close();
    }

    private void reach(boolean writable) {
        List<Window> windows = List.of(new Window(PLACE, bytes));
        context.reach(windows, writable ? windows : List.of());
    }

    /** Each thread has 16 bytes of the memory, and of the context's own. */
    private void run(String instructions, int launches) {
        String text =
                """
                .version 8.0
                .target sm_75
                .address_size 64
                .extern .func (.param .b32 r) cudaGetDevice (.param .b64 p);
                .extern .func (.param .b32 r) cudaDeviceGetLimit (.param .b64 p, .param .b32 l);
                .visible .entry run(.param .u64 there, .param .u64 own)
                {
                    .reg .b32 %%r<10>; .reg .f32 %%f<10>; .reg .b64 %%rd<10>;
                    ld.param.u64 %%rd1, [there];
                    ld.param.u64 %%rd2, [own];
                    mov.u32 %%r1, %%ctaid.x;
                    mov.u32 %%r2, %%ntid.x;
                    mov.u32 %%r3, %%tid.x;
                    mad.lo.s32 %%r4, %%r1, %%r2, %%r3;
                    mul.wide.s32 %%rd3, %%r4, 16;
                    add.s64 %%rd1, %%rd1, %%rd3;
                    add.s64 %%rd2, %%rd2, %%rd3;
                    %s
                    ret;
                }
                """
                        .formatted(instructions);
        long own = context.allocate(BYTES);
        Kernel kernel = context.load(text).kernel("run");
        for (int i = 0; i < launches; i++) {
            stream.launch(Launch.of(kernel, Dim.of(THREADS / 128), Dim.of(128), PLACE, own));
        }
    }

    private static final String READS =
            """
            ld.global.u32 %r5, [%rd1];
            ld.u32 %r6, [%rd1+4];
            ld.global.nc.v2.u32 {%r7, %r8}, [%rd1+8];
            add.s32 %r5, %r5, %r6;
            st.global.u32 [%rd2], %r5;
            """;

    /** So often that the kernel's vector code has its turn too. */
    @Test
    void whatIsReadableIsRead() {
        bytes.fill((byte) 1);
        reach(false);
        run(READS, 40);
        stream.synchronize();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "st.global.u32 [%rd1], %r4;",
                "st.global.v4.u32 [%rd1], {%r4, %r4, %r4, %r4};",
                "st.u32 [%rd1], %r4;",
                "atom.global.add.u32 %r5, [%rd1], 1;",
                "atom.add.u32 %r5, [%rd1], 1;",
                "red.global.add.u32 [%rd1], 1;",
                "ld.global.u32 %r5, [%rd1]; add.s32 %r5, %r5, 1; st.global.u32 [%rd1+4], %r5;",
                "{ .param .b64 p; .param .b32 r; st.param.b64 [p], %rd1;"
                        + " call (r), cudaGetDevice, (p); }",
                "{ .param .b64 p; .param .b32 l; .param .b32 r; st.param.b64 [p], %rd1;"
                        + " st.param.b32 [l], 2; call (r), cudaDeviceGetLimit, (p, l); }",
            })
    void whatIsNotWritableIsNotWritten(String instructions) {
        reach(true);
        run(READS + instructions, 40);
        stream.synchronize();
        bytes.fill((byte) 7);
        reach(false);
        run(instructions, 1);
        assertEquals(
                DeviceError.ILLEGAL_ADDRESS,
                assertThrows(DeviceException.class, stream::synchronize).error());
        for (long at = 0; at < BYTES; at += 4) {
            assertEquals(0x07070707, bytes.get(ValueLayout.JAVA_INT, at));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fill", "copy", "box", "write"})
    void copiesObeyToo(String what) {
        bytes.fill((byte) 7);
        reach(false);
        long own = context.allocate(4096);
        stream.copy(own, PLACE, 4096);
        MemorySegment back = MemorySegment.ofArray(new int[1024]);
        stream.copyFromDevice(back, own);
        stream.synchronize();
        assertEquals(0x07070707, back.get(ValueLayout.JAVA_INT_UNALIGNED, 4092));
        switch (what) {
            case "fill" -> stream.fill(PLACE, 1, 4, 10);
            case "copy" -> stream.copy(PLACE, own, 16);
            case "box" -> stream.copy(PLACE, own, new Box(16, 2, 1, 64, 128, 64, 128));
            default -> stream.copyToDevice(PLACE, MemorySegment.ofArray(new byte[16]));
        }
        assertEquals(
                DeviceError.ILLEGAL_ADDRESS,
                assertThrows(DeviceException.class, stream::synchronize).error());
        assertEquals(0x07070707, bytes.get(ValueLayout.JAVA_INT, 0));
    }
}
