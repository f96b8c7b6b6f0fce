package facet.node.server;

/** PTX for the tests. */
public final class Kernels {
    /** add(cells, count, value): every cell gets the value added. */
    public static final String ADD =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry add(.param .u64 cells, .param .u32 count, .param .u32 value)
            {
                .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
                ld.param.u64 %rd0, [cells];
                ld.param.u32 %r0, [count];
                ld.param.u32 %r1, [value];
                mov.u32 %r2, %tid.x;
                mov.u32 %r3, %ctaid.x;
                mov.u32 %r4, %ntid.x;
                mad.lo.s32 %r5, %r3, %r4, %r2;
                setp.ge.s32 %p0, %r5, %r0;
                @%p0 bra DONE;
                mul.wide.s32 %rd1, %r5, 4;
                add.s64 %rd2, %rd0, %rd1;
                ld.global.u32 %r6, [%rd2];
                add.s32 %r6, %r6, %r1;
                st.global.u32 [%rd2], %r6;
            DONE:
                ret;
            }
            """;

    /** spin(flag): until the flag is not zero. */
    public static final String SPIN =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry spin(.param .u64 flag)
            {
                .reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
                ld.param.u64 %rd0, [flag];
            AGAIN:
                ld.volatile.global.u32 %r0, [%rd0];
                setp.eq.u32 %p0, %r0, 0;
                @%p0 bra AGAIN;
                ret;
            }
            """;

    /** loop(cell, rounds): counts them, without looking at memory. */
    public static final String LOOP =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry loop(.param .u64 cell, .param .u64 rounds)
            {
                .reg .pred %p<2>; .reg .b64 %rd<5>;
                ld.param.u64 %rd0, [cell];
                ld.param.u64 %rd1, [rounds];
                mov.u64 %rd2, 0;
                mov.u64 %rd3, 1;
            AGAIN:
                mad.lo.s64 %rd3, %rd3, %rd3, %rd2;
                add.s64 %rd2, %rd2, 1;
                setp.lt.u64 %p0, %rd2, %rd1;
                @%p0 bra AGAIN;
                st.global.u64 [%rd0], %rd3;
                ret;
            }
            """;

    /** wild(): writes where nothing is. */
    public static final String WILD =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry wild()
            {
                .reg .b32 %r<2>; .reg .b64 %rd<2>;
                mov.u64 %rd0, 16;
                mov.u32 %r0, 1;
                st.global.u32 [%rd0], %r0;
                ret;
            }
            """;

    private Kernels() {}
}
