package facet.device.cpu.random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that wait in a loop for others, which must get to run meanwhile. */
final class RandomKernelProgressCasesTest {
    /** More blocks than cores wait for each other, again and again. */
    @ParameterizedTest
    @CsvSource({"2,32", "20,32", "24,64"})
    void gridBarrier(int grid, int block) {
        Cases.cooperative(
                """
                mov.u32 %r0, 0;
                mov.u32 %r9, %id;
                ROUND:
                st.global.u32 [%own], %r9;
                bar.sync 0;
                add.u32 %r0, %r0, 1;
                setp.ne.u32 %p0, %thread, 0;
                @%p0 bra WAITED;
                membar.gl;
                atom.global.add.u32 %r1, [%memory], 1;
                mul.lo.u32 %r2, %r0, %blocks;
                SPIN:
                ld.acquire.gpu.global.u32 %r3, [%memory];
                setp.lt.u32 %p1, %r3, %r2;
                @%p1 bra SPIN;
                WAITED:
                bar.sync 0;
                mul.lo.u32 %r4, %threads, %blocks;
                sub.u32 %r4, %r4, 1;
                sub.u32 %r4, %r4, %id;
                mul.wide.u32 %l0, %r4, 4;
                add.u64 %l0, %l0, %memory;
                ld.volatile.global.u32 %r5, [%l0+4096];
                mad.lo.u32 %r9, %r9, 3, %r5;
                bar.sync 0;
                @%p0 bra AGREED;
                atom.global.add.u32 %r1, [%memory+8], 1;
                SPIN2:
                atom.global.or.b32 %r3, [%memory+8], 0;
                setp.lt.u32 %p1, %r3, %r2;
                @%p1 bra SPIN2;
                AGREED:
                bar.sync 0;
                setp.lt.u32 %p2, %r0, 4;
                @%p2 bra ROUND;
                st.global.u32 [%own], %r9;
                """,
                grid, block);
    }

    /** The first warp waits for the last, and asks by vote. */
    @ParameterizedTest
    @CsvSource({"1,64", "3,128"})
    void spinWithVote(int grid, int block) {
        Cases.run(
                """
                setp.eq.u32 %p0, %thread, 0;
                @%p0 st.volatile.shared.u32 [cells], 0;
                bar.sync 0;
                mov.u32 %r1, 0;
                setp.ge.u32 %p1, %thread, 32;
                @%p1 bra SIGNAL;
                SPIN:
                ld.volatile.shared.u32 %r1, [cells];
                setp.ne.u32 %p2, %r1, 0;
                vote.sync.all.pred %p3, %p2, 0xffffffff;
                @!%p3 bra SPIN;
                bra END;
                SIGNAL:
                sub.u32 %r2, %threads, 1;
                setp.eq.u32 %p4, %thread, %r2;
                @%p4 st.volatile.shared.u32 [cells], 42;
                END:
                add.u32 %r1, %r1, %id;
                st.global.u32 [%own], %r1;
                """,
                grid, block);
    }

    /** All blocks wait for the last one, with a barrier in the loop. */
    @ParameterizedTest
    @CsvSource({"2,32", "20,64"})
    void spinWithBarrier(int grid, int block) {
        Cases.cooperative(
                """
                sub.u32 %r0, %blocks, 1;
                setp.eq.u32 %p0, %block, %r0;
                setp.eq.and.u32 %p0, %thread, 0, %p0;
                @%p0 st.volatile.global.u32 [%memory], 9;
                SPIN:
                ld.volatile.global.u32 %r1, [%memory];
                setp.ne.u32 %p1, %r1, 0;
                bar.red.and.pred %p2, 0, %p1;
                @!%p2 bra SPIN;
                add.u32 %r1, %r1, %id;
                st.global.u32 [%own], %r1;
                """,
                grid, block);
    }

    /** The loop is longer than a method may be. */
    @ParameterizedTest
    @CsvSource({"1,24", "20,1"})
    void longSpin(int grid, int block) {
        String work = "mad.lo.u32 %r3, %r3, 5, %r4;\nxor.b32 %r4, %r4, %r3;\n".repeat(700);
        Cases.cooperative(
                """
                mul.lo.u32 %r5, %threads, %blocks;
                sub.u32 %r5, %r5, 1;
                sub.u32 %r5, %r5, %id;
                SPIN:
                mov.u32 %r3, %id;
                mov.u32 %r4, 1;
                WORK
                ld.volatile.global.u32 %r1, [%memory];
                setp.ne.u32 %p1, %r1, %r5;
                @%p1 bra SPIN;
                add.u32 %r1, %r1, 1;
                st.volatile.global.u32 [%memory], %r1;
                st.global.u32 [%own], %r3;
                """
                        .replace("WORK\n", work),
                grid,
                block);
    }

    /** What changes is read by a function. */
    @ParameterizedTest
    @CsvSource({"1,64", "20,32"})
    void spinThroughFunction(int grid, int block) {
        Cases.run(
                """
                .func (.param .b32 result) current (.param .b64 address) {
                .reg .b32 %a;
                .reg .b64 %b;
                ld.param.b64 %b, [address];
                ld.volatile.global.u32 %a, [%b];
                st.param.b32 [result], %a;
                ret;
                }
                """,
                """
                mul.wide.u32 %l0, %block, 4;
                add.u64 %l0, %l0, %memory;
                sub.u32 %r5, %threads, 1;
                sub.u32 %r5, %r5, %thread;
                .param .b64 x; .param .b32 y;
                SPIN:
                st.param.b64 [x], %l0;
                call.uni (y), current, (x);
                ld.param.b32 %r1, [y];
                setp.ne.u32 %p1, %r1, %r5;
                @%p1 bra SPIN;
                add.u32 %r1, %r1, 1;
                st.volatile.global.u32 [%l0], %r1;
                st.global.u32 [%own], %r1;
                """,
                grid,
                block);
    }

    /** A thread keeps a lock while it meets its warp; the other warps spin for the lock. */
    @Test
    void lockHeldAtMeeting() {
        Cases.run(
                """
                setp.eq.u32 %p0, %thread, 0;
                @%p0 st.volatile.shared.u32 [cells], 0;
                @%p0 st.volatile.shared.u32 [cells+4], 0;
                bar.sync 0;
                setp.ne.u32 %p1, %lane, 0;
                @%p1 bra TAKEN;
                SPIN:
                atom.shared.cas.b32 %r0, [cells], 0, 1;
                setp.ne.u32 %p2, %r0, 0;
                @%p2 bra SPIN;
                TAKEN:
                bar.warp.sync 0xffffffff;
                redux.sync.add.u32 %r1, %thread, 0xffffffff;
                @%p1 bra FREED;
                ld.volatile.shared.u32 %r2, [cells+4];
                add.u32 %r2, %r2, %r1;
                st.volatile.shared.u32 [cells+4], %r2;
                membar.cta;
                atom.shared.exch.b32 %r0, [cells], 0;
                FREED:
                bar.sync 0;
                ld.shared.u32 %r3, [cells+4];
                st.global.u32 [%own], %r3;
                """,
                2, 192);
    }
}
