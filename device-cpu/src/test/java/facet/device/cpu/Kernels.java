package facet.device.cpu;

/** Small kernels in PTX for tests of the device. */
final class Kernels {
    private static final String HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n";

    /** {@code add(pointer cells, int n, int by)}: adds to each of n ints. */
    static final String ADD =
            HEAD
                    + """
                    .visible .entry add(.param .u64 cells, .param .u32 n, .param .u32 by)
                    {
                        .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %rd<4>;
                        ld.param.u64 %rd0, [cells];
                        ld.param.u32 %r0, [n];
                        ld.param.u32 %r1, [by];
                        mov.u32 %r2, %ctaid.x;
                        mov.u32 %r3, %ntid.x;
                        mov.u32 %r4, %tid.x;
                        mad.lo.s32 %r5, %r2, %r3, %r4;
                        setp.ge.s32 %p, %r5, %r0;
                        @%p ret;
                        mul.wide.s32 %rd1, %r5, 4;
                        add.s64 %rd2, %rd0, %rd1;
                        ld.global.u32 %r6, [%rd2];
                        add.s32 %r6, %r6, %r1;
                        st.global.u32 [%rd2], %r6;
                        ret;
                    }
                    """;

    /** {@code spin(pointer flag, pointer count)}: counts up until the flag is not zero. */
    static final String SPIN =
            HEAD
                    + """
                    .visible .entry spin(.param .u64 flag, .param .u64 count)
                    {
                        .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd<3>;
                        ld.param.u64 %rd0, [flag];
                        ld.param.u64 %rd1, [count];
                        mov.u32 %r1, 0;
                    LOOP:
                        add.s32 %r1, %r1, 1;
                        st.volatile.global.u32 [%rd1], %r1;
                        ld.volatile.global.u32 %r0, [%rd0];
                        setp.eq.u32 %p, %r0, 0;
                        @%p bra LOOP;
                        ret;
                    }
                    """;

    /** {@code loop(pointer out, long rounds)}: a long computation with a known result. */
    static final String LOOP =
            HEAD
                    + """
                    .visible .entry loop(.param .u64 out, .param .u64 rounds)
                    {
                        .reg .pred %p; .reg .b32 %r<2>; .reg .b64 %rd<6>;
                        ld.param.u64 %rd0, [out];
                        ld.param.u64 %rd1, [rounds];
                        mov.u64 %rd2, 1;
                    NEXT:
                        mad.lo.s64 %rd2, %rd2, 6364136223846793005, 1442695040888963407;
                        add.s64 %rd1, %rd1, -1;
                        setp.ne.s64 %p, %rd1, 0;
                        @%p bra NEXT;
                        mov.u32 %r0, %ctaid.x;
                        mul.wide.u32 %rd3, %r0, 8;
                        add.s64 %rd4, %rd0, %rd3;
                        st.global.u64 [%rd4], %rd2;
                        ret;
                    }
                    """;

    private Kernels() {}

    /** What {@link #LOOP} stores. */
    static long loopResult(long rounds) {
        long value = 1;
        for (long i = 0; i < rounds; i++) {
            value = value * 6364136223846793005L + 1442695040888963407L;
        }
        return value;
    }
}
