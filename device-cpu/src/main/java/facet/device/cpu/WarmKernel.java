package facet.device.cpu;

/**
 * A kernel with a little of everything, for what is to be loaded and compiled before programs come.
 */
final class WarmKernel {
    /**
     * Its entry takes an address of floats, one for each thread, and how often it goes over them.
     */
    static final String PTX =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry warm(.param .u64 cells, .param .u32 n)
            {
                .reg .pred %p<2>; .reg .b32 %r<8>; .reg .f32 %f<3>; .reg .b64 %rd<3>;
                .shared .align 4 .b8 tile[256];
                ld.param.u64 %rd0, [cells];
                ld.param.u32 %r0, [n];
                mov.u32 %r1, %tid.x;
                mov.u32 %r2, %ctaid.x;
                mov.u32 %r3, %ntid.x;
                mad.lo.s32 %r4, %r2, %r3, %r1;
                mul.wide.s32 %rd1, %r4, 4;
                cvta.to.global.u64 %rd0, %rd0;
                add.s64 %rd2, %rd0, %rd1;
                mov.u32 %r5, 0;
            LOOP:
                ld.global.f32 %f0, [%rd2];
                cvt.rn.f32.s32 %f1, %r4;
                fma.rn.f32 %f2, %f0, %f1, 0f3F800000;
                st.global.f32 [%rd2], %f2;
                add.s32 %r5, %r5, 1;
                setp.lt.s32 %p0, %r5, %r0;
                @%p0 bra LOOP;
                mov.u32 %r6, tile;
                and.b32 %r7, %r1, 63;
                shl.b32 %r7, %r7, 2;
                add.s32 %r6, %r6, %r7;
                st.shared.f32 [%r6], %f2;
                bar.sync 0;
                ld.shared.f32 %f0, [%r6];
                atom.global.add.f32 %f1, [%rd2], %f0;
                ret;
            }
            """;

    private WarmKernel() {}
}
