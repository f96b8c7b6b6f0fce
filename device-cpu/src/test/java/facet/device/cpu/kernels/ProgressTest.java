package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Loops that wait for another thread let it run, however they are cut into regions. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ProgressTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private static final int BLOCKS = 20;

    private static final String CURRENT =
            """
            .func (.param .u32 result) current(.param .u64 cell)
            { .reg .b64 %a; .reg .b32 %v;
              ld.param.u64 %a, [cell];
              ld.volatile.global.u32 %v, [%a];
              st.param.u32 [result], %v; ret; }
            """;

    /** %first is the thread's number in the grid, %cell a word of memory that starts as zero. */
    private static void run(int blocks, int threads, String functions, String body) {
        String text =
                ".version 9.0\n.target sm_90\n.address_size 64\n"
                        + functions
                        + """
                        .visible .entry k(.param .u64 cell)
                        { .reg .b64 %cell; .reg .b32 %r<9>; .reg .pred %p<9>; .reg .b32 %first;
                          .shared .align 4 .b8 s[4];
                          ld.param.u64 %cell, [cell];
                          mov.u32 %r1, %ntid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x;
                          mad.lo.u32 %first, %r1, %r2, %r3;
                        """
                        + body
                        + "atom.global.add.u32 %r8, [%cell+4], 1; ret; }\n";
        long cell = gpu.upload(0, 0);
        try (LoadedModule module = gpu.context().load(text)) {
            Launch launch = Launch.of(module.kernel("k"), Dim.of(blocks), Dim.of(threads), cell);
            gpu.stream().launch(launch.asCooperative());
            gpu.stream().synchronize();
        }
        assertEquals(blocks * threads, gpu.ints(cell, 2)[1]);
    }

    /** The last thread of all sets the cell; the others wait. */
    private static String lastSets(int total, String wait) {
        return """
        setp.eq.u32 %%p1, %%first, %d;
        @%%p1 st.volatile.global.u32 [%%cell], 1;
        %s
        """
                .formatted(total - 1, wait);
    }

    @Test
    void warpOperationInTheLoop() {
        String wait =
                """
                SPIN: ld.volatile.global.u32 %r4, [%cell];
                setp.ne.u32 %p2, %r4, 0;
                vote.sync.all.pred %p3, %p2, -1;
                @!%p3 bra SPIN;
                """;
        run(1, 64, "", lastSets(64, wait));
        run(3, 128, "", lastSets(384, wait));
        run(BLOCKS, 32, "", lastSets(BLOCKS * 32, wait));
    }

    @Test
    void barrierInTheLoop() {
        String wait =
                """
                SPIN: ld.volatile.global.u32 %r4, [%cell];
                setp.ne.u32 %p2, %r4, 0;
                bar.red.and.pred %p3, 0, %p2;
                @!%p3 bra SPIN;
                """;
        run(BLOCKS, 64, "", lastSets(BLOCKS * 64, wait));
    }

    @Test
    void loopLongerThanARegion() {
        String wait =
                "SPIN: mov.u32 %r5, 0;\n"
                        + "add.u32 %r5, %r5, %r4;\n".repeat(1400)
                        + "ld.volatile.global.u32 %r4, [%cell]; setp.eq.u32 %p2, %r4, 0; @%p2 bra SPIN;";
        run(BLOCKS, 1, "", lastSets(BLOCKS, wait));
        run(1, 2, "", lastSets(2, wait));
    }

    @Test
    void functionThatLooks() {
        String wait =
                """
                SPIN: { .param .u64 a; .param .u32 v;
                st.param.u64 [a], %cell;
                call (v), current, (a);
                ld.param.u32 %r4, [v]; }
                setp.eq.u32 %p2, %r4, 0;
                @%p2 bra SPIN;
                """;
        run(1, 64, CURRENT, lastSets(64, wait));
        run(BLOCKS, 32, CURRENT, lastSets(BLOCKS * 32, wait));
    }

    /** Who sleeps in its turn keeps the worker from those it waits for: 512 ms for each thread. */
    @Test
    void sleepInTheLoop() {
        String wait =
                """
                SPIN: ld.volatile.global.u32 %r4, [%cell];
                setp.ne.u32 %p2, %r4, 0;
                @%p2 bra DONE;
                nanosleep.u32 1000000;
                bra SPIN;
                DONE:
                """;
        run(1, 1024, "", lastSets(1024, wait));
        run(BLOCKS, 32, "", lastSets(BLOCKS * 32, wait));
    }

    @Test
    void kernelThatBeginsWithTheLoop() {
        String text =
                """
                .version 9.0
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 cell)
                { .reg .b64 %cell; .reg .b32 %r<4>; .reg .pred %p<3>;
                  SPIN: ld.param.u64 %cell, [cell];
                  mov.u32 %r1, %tid.x;
                  setp.eq.u32 %p1, %r1, 63;
                  @%p1 st.volatile.global.u32 [%cell], 1;
                  ld.volatile.global.u32 %r2, [%cell];
                  setp.eq.u32 %p2, %r2, 0;
                  @%p2 bra SPIN;
                  atom.global.add.u32 %r3, [%cell+4], 1;
                  ret; }
                """;
        long cell = gpu.upload(0, 0);
        try (LoadedModule module = gpu.context().load(text)) {
            gpu.stream().launch(Launch.of(module.kernel("k"), Dim.of(1), Dim.of(64), cell));
            gpu.stream().synchronize();
        }
        assertEquals(64, gpu.ints(cell, 2)[1]);
    }
}
