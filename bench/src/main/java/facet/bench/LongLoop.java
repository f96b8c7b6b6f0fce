package facet.bench;

/** A kernel that loops as long as it is told: each thread steps a linear congruential generator. */
final class LongLoop {
    private static final int FACTOR = 1664525;
    private static final int ADDEND = 1013904223;

    /** {@code long_loop(steps, out)}: thread i starts from i and writes to out[i]. */
    static final String PTX =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry long_loop(.param .u32 steps, .param .u64 out)
            {
            .reg .pred %%p<2>;
            .reg .b32 %%r<8>;
            .reg .b64 %%rd<5>;
                ld.param.u32 %%r1, [steps];
                ld.param.u64 %%rd1, [out];
                mov.u32 %%r2, %%tid.x;
                mov.u32 %%r3, %%ctaid.x;
                mov.u32 %%r4, %%ntid.x;
                mad.lo.s32 %%r5, %%r3, %%r4, %%r2;
                mov.u32 %%r6, %%r5;
            STEP:
                mad.lo.s32 %%r6, %%r6, %d, %d;
                add.s32 %%r1, %%r1, -1;
                setp.ne.s32 %%p1, %%r1, 0;
                @%%p1 bra STEP;
                cvta.to.global.u64 %%rd2, %%rd1;
                mul.wide.u32 %%rd3, %%r5, 4;
                add.s64 %%rd4, %%rd2, %%rd3;
                st.global.u32 [%%rd4], %%r6;
                ret;
            }
            """
                    .formatted(FACTOR, ADDEND);

    private LongLoop() {}

    /** The state after so many steps, by squaring the step. */
    static int after(int start, int steps) {
        int factor = FACTOR;
        int addend = ADDEND;
        int state = start;
        for (int rest = steps; rest > 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                state = state * factor + addend;
            }
            addend *= factor + 1;
            factor *= factor;
        }
        return state;
    }
}
