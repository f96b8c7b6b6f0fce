package facet.device.cpu;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Compiles a small kernel in the background when the first device of the process is made, so that
 * the compiler's own classes are loaded when the first real kernel comes.
 */
final class WarmUp {
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private static final String PTX =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry warm(.param .u64 cells, .param .u32 n)
            {
                .reg .pred %p<3>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<4>;
                .shared .align 4 .b8 tile[128];
                ld.param.u64 %rd0, [cells];
                ld.param.u32 %r0, [n];
                mov.u32 %r1, %tid.x;
                mov.u32 %r2, %ctaid.x;
                mov.u32 %r3, %ntid.x;
                mad.lo.s32 %r4, %r2, %r3, %r1;
                setp.ge.s32 %p0, %r4, %r0;
                @%p0 bra DONE;
                cvta.to.global.u64 %rd0, %rd0;
                mul.wide.s32 %rd1, %r4, 4;
                add.s64 %rd2, %rd0, %rd1;
            LOOP:
                ld.global.f32 %f0, [%rd2];
                cvt.rn.f32.s32 %f1, %r4;
                fma.rn.f32 %f2, %f0, %f1, 0f3F800000;
                st.global.f32 [%rd2], %f2;
                mov.u32 %r5, tile;
                and.b32 %r6, %r1, 31;
                shl.b32 %r6, %r6, 2;
                add.s32 %r5, %r5, %r6;
                st.shared.f32 [%r5], %f2;
                bar.sync 0;
                atom.global.add.u32 %r7, [%rd2], 1;
                setp.lt.u32 %p1, %r7, 10;
                selp.b32 %r7, %r7, %r4, %p1;
                @%p1 bra LOOP;
            DONE:
                ret;
            }
            """;

    private WarmUp() {}

    static void begin() {
        if (BEGUN.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("facet-warm-up").start(WarmUp::run);
        }
    }

    private static void run() {
        ModuleCache.Entry entry = new ModuleCache.Entry(PTX);
        entry.kernel(entry.module().kernels().getFirst());
    }
}
