package facet.device.cpu.random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Barriers that not everybody comes to in the same way. */
final class RandomKernelBarrierCasesTest {
    private static final String MEETING =
            """
            .func (.param .b32 result) inner (.param .b32 value) {
            .reg .b32 %a, %b, %c;
            ld.param.b32 %a, [value];
            mov.u32 %b, %tid.x;
            mov.u32 %c, cells;
            mad.lo.u32 %c, %b, 4, %c;
            st.shared.u32 [%c], %a;
            bar.sync 0;
            mov.u32 %b, cells;
            ld.shared.u32 %a, [%b+4];
            ld.shared.u32 %b, [%c];
            mad.lo.u32 %a, %a, 5, %b;
            bar.sync 0;
            st.param.b32 [result], %a;
            ret;
            }
            .func (.param .b32 result) outer (.param .b32 value) {
            .reg .b32 %a;
            .reg .pred %p;
            ld.param.b32 %a, [value];
            { .param .b32 x; .param .b32 y;
            st.param.b32 [x], %a;
            call.uni (y), inner, (x);
            ld.param.b32 %a, [y];
            add.u32 %a, %a, 1;
            st.param.b32 [x], %a;
            call.uni (y), inner, (x);
            ld.param.b32 %a, [y]; }
            st.param.b32 [result], %a;
            ret;
            }
            """;

    @ParameterizedTest
    @CsvSource({"1,64", "3,100", "2,33", "1,1"})
    void fewerEachRound(int grid, int block) {
        Cases.run(
                """
                mov.u32 %r5, cells;
                mad.lo.u32 %r5, %thread, 4, %r5;
                st.shared.u32 [%r5], %id;
                mov.u32 %r0, 0;
                mov.u32 %r1, 0;
                HEAD:
                bar.sync 0;
                ld.shared.u32 %r2, [cells];
                mad.lo.u32 %r1, %r1, 3, %r2;
                st.global.u32 [%own], %r1;
                shr.u32 %r3, %thread, 3;
                setp.eq.u32 %p0, %r3, %r0;
                setp.ne.and.u32 %p0, %thread, 0, %p0;
                bar.sync 1;
                setp.eq.u32 %p1, %thread, 0;
                @%p1 red.shared.add.u32 [cells], 7;
                @%p0 ret;
                add.u32 %r0, %r0, 1;
                setp.lt.u32 %p2, %r0, 20;
                @%p2 bra HEAD;
                """,
                grid, block);
    }

    /** A ring of two buffers, two barriers for each: full and empty. */
    @ParameterizedTest
    @CsvSource({"1,64", "3,64", "2,128"})
    void producersAndConsumers(int grid, int block) {
        Cases.run(
                """
                shr.u32 %r10, %threads, 1;
                setp.lt.u32 %p0, %thread, %r10;
                sub.u32 %r11, %thread, %r10;
                mov.u32 %r0, 0;
                mov.u32 %r9, 0;
                @%p0 bra PRODUCE;
                bar.arrive 3, %threads;
                bar.arrive 4, %threads;
                CONSUME:
                and.b32 %r1, %r0, 1;
                add.u32 %r2, %r1, 1;
                add.u32 %r3, %r1, 3;
                bar.sync %r2, %threads;
                xor.b32 %r4, %r11, 5;
                mad.lo.u32 %r4, %r1, %r10, %r4;
                mov.u32 %r5, cells;
                mad.lo.u32 %r5, %r4, 4, %r5;
                ld.shared.u32 %r6, [%r5];
                mad.lo.u32 %r9, %r9, 31, %r6;
                add.u32 %r0, %r0, 1;
                setp.ge.u32 %p1, %r0, 11;
                @%p1 bra END;
                setp.lt.u32 %p2, %r0, 10;
                @%p2 bar.arrive %r3, %threads;
                bra CONSUME;
                PRODUCE:
                and.b32 %r1, %r0, 1;
                add.u32 %r2, %r1, 1;
                add.u32 %r3, %r1, 3;
                bar.sync %r3, %threads;
                mad.lo.u32 %r4, %r1, %r10, %thread;
                mov.u32 %r5, cells;
                mad.lo.u32 %r5, %r4, 4, %r5;
                mad.lo.u32 %r6, %r0, 1000, %id;
                st.shared.u32 [%r5], %r6;
                bar.arrive %r2, %threads;
                add.u32 %r0, %r0, 1;
                setp.lt.u32 %p1, %r0, 11;
                @%p1 bra PRODUCE;
                END:
                st.global.u32 [%own], %r9;
                """,
                grid, block);
    }

    /** Warps pass barriers of their own, each as often as it likes. */
    @ParameterizedTest
    @CsvSource({"1,128", "3,256"})
    void aBarrierForEachWarp(int grid, int block) {
        Cases.run(
                """
                shr.u32 %r0, %thread, 5;
                add.u32 %r1, %r0, 1;
                mad.lo.u32 %r2, %r0, 3, 2;
                mov.u32 %r5, cells;
                mad.lo.u32 %r5, %thread, 4, %r5;
                xor.b32 %r6, %lane, 31;
                sub.u32 %r6, %r6, %lane;
                mad.lo.u32 %r6, %r6, 4, %r5;
                mov.u32 %r7, %id;
                HEAD:
                st.shared.u32 [%r5], %r7;
                bar.sync %r1, 32;
                ld.shared.u32 %r8, [%r6];
                bar.sync %r1, 32;
                mad.lo.u32 %r7, %r7, 3, %r8;
                sub.u32 %r2, %r2, 1;
                setp.gt.s32 %p0, %r2, 0;
                @%p0 bra HEAD;
                setp.lt.u32 %p1, %thread, 64;
                bar.red.popc.u32 %r9, 0, %p1;
                add.u32 %r7, %r7, %r9;
                st.global.u32 [%own], %r7;
                """,
                grid, block);
    }

    /** A function with barriers, from two places of a function and of a kernel. */
    @ParameterizedTest
    @CsvSource({"1,64", "4,50"})
    void functionsWithBarriers(int grid, int block) {
        Cases.run(
                MEETING,
                """
                and.b32 %r0, %block, 1;
                setp.eq.u32 %p0, %r0, 0;
                .param .b32 x; .param .b32 y;
                st.param.b32 [x], %id;
                @%p0 bra OTHER;
                call.uni (y), outer, (x);
                bra END;
                OTHER:
                call.uni (y), inner, (x);
                ld.param.b32 %r1, [y];
                st.param.b32 [x], %r1;
                call.uni (y), outer, (x);
                END:
                ld.param.b32 %r1, [y];
                st.global.u32 [%own], %r1;
                """,
                grid,
                block);
    }
}
