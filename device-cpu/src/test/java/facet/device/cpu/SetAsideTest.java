package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that wait for others are bounded. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SetAsideTest {
    private static final int MOST = 16;

    /**
     * Each block waits for the one behind it; the last one for the number of blocks that it is
     * told.
     */
    private static final String CHAIN =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry chain(.param .u64 cells, .param .u32 last)
            {
                .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %rd<4>;
                ld.param.u64 %rd0, [cells];
                ld.param.u32 %r0, [last];
                mov.u32 %r1, %ctaid.x;
                mul.wide.u32 %rd1, %r1, 4;
                add.u64 %rd1, %rd0, %rd1;
                setp.eq.u32 %p, %r1, %r0;
                @%p bra TELL;
            AGAIN:
                ld.volatile.global.u32 %r2, [%rd1+4];
                setp.eq.u32 %p, %r2, 0;
                @%p bra AGAIN;
            TELL:
                mov.u32 %r3, 1;
                st.volatile.global.u32 [%rd1], %r3;
                ret;
            }
            """;

    private static void run(Context context, int blocks, int last) {
        Kernel chain = context.load(CHAIN).kernel("chain");
        long cells = context.allocate(4096);
        try (Stream stream = context.createStream()) {
            stream.fill(cells, 0, 4, 1024);
            stream.launch(Launch.of(chain, Dim.of(blocks), Dim.of(1), cells, last));
            stream.synchronize();
            int[] found = new int[blocks];
            stream.copyFromDevice(MemorySegment.ofArray(found), cells);
            stream.synchronize();
            int[] expected = new int[blocks];
            java.util.Arrays.fill(expected, 1);
            assertArrayEquals(expected, found);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void tooManyThatWaitFailTheirContextAndLeaveNothing(int seats) {
        try (Device device =
                CpuDevice.create(
                        CpuDevice.profile("test", 1L << 30, 8), seats, new SetAside(MOST))) {
            for (int i = 0; i < 4; i++) {
                try (Context context =
                        device.createContext(
                                ContextOptions.of("many", 1 << 20).withFaults(line -> {}))) {
                    DeviceException error =
                            assertThrows(DeviceException.class, () -> run(context, 64, 99));
                    assertEquals(DeviceError.LAUNCH_OUT_OF_RESOURCES, error.error());
                }
                // As many as there may be, one after the other, and again.
                try (Context context = device.createContext(ContextOptions.of("few", 1 << 20))) {
                    run(context, MOST / 2, MOST / 2 - 1);
                    run(context, MOST / 2, MOST / 2 - 1);
                }
            }
        }
    }

    @Test
    void aShareHasHalfOfWhatOthersLeave() {
        SetAside aside = new SetAside(MOST);
        TakingTurns shares = new TakingTurns(1);
        TakingTurns.Member first = shares.join();
        TakingTurns.Member second = shares.join();
        for (int i = 0; i < MOST / 2; i++) {
            assertTrue(aside.take(first));
        }
        assertFalse(aside.take(first));
        for (int i = 0; i < MOST / 4; i++) {
            assertTrue(aside.take(second));
        }
        assertFalse(aside.take(second));
        aside.give(first);
        aside.give(first);
        assertTrue(aside.take(second));
        assertFalse(aside.take(second));
    }
}
