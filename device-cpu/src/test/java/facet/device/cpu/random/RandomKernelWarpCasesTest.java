package facet.device.cpu.random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Warp operations where control flow is at its worst. */
final class RandomKernelWarpCasesTest {
    /** Threads meet by mask and qualifiers, not by instruction. */
    @ParameterizedTest
    @CsvSource({"1,32", "3,64", "2,20"})
    void shuffleAtTwoInstructions(int grid, int block) {
        Cases.run(
                """
                and.b32 %r0, %lane, 1;
                setp.eq.u32 %p0, %r0, 0;
                setp.eq.u32 %p9, %r0, %r0;
                vote.sync.ballot.b32 %r3, %p9, 0xffffffff;
                mul.lo.u32 %r1, %id, 7;
                @%p0 bra EVEN;
                shfl.sync.bfly.b32 %r2, %r1, 1, 31, %r3;
                add.u32 %r2, %r2, 1000;
                bra END;
                EVEN:
                mul.lo.u32 %r1, %r1, 3;
                shfl.sync.bfly.b32 %r2, %r1, 1, 31, %r3;
                END:
                st.global.u32 [%own], %r2;
                """,
                grid, block);
    }

    /** Each thread counts itself in its group; which groups there are does not show. */
    @ParameterizedTest
    @CsvSource({"1,32", "4,100", "9,33"})
    void activeGroupsShareAnAtomic(int grid, int block) {
        Cases.run(
                """
                and.b32 %r0, %id, 3;
                setp.eq.u32 %p0, %r0, 1;
                @%p0 bra END;
                AGAIN:
                activemask.b32 %r1;
                brev.b32 %r2, %r1;
                clz.b32 %r2, %r2;
                setp.ne.u32 %p1, %r2, %lane;
                popc.b32 %r3, %r1;
                @!%p1 atom.global.add.u32 %r4, [%memory], %r3;
                shfl.sync.idx.b32 %r4, %r4, %r2, 31, %r1;
                mov.u32 %r5, %lanemask_lt;
                and.b32 %r5, %r5, %r1;
                popc.b32 %r5, %r5;
                add.u32 %r4, %r4, %r5;
                mul.wide.u32 %l0, %r4, 4;
                add.u64 %l0, %l0, %memory;
                red.global.add.u32 [%l0+4096], 1;
                sub.u32 %r0, %r0, 1;
                setp.gt.s32 %p2, %r0, 0;
                @%p2 bra AGAIN;
                END:
                """,
                grid, block);
    }

    @ParameterizedTest
    @CsvSource({"1,32", "2,96", "3,50"})
    void votesOfThoseStillInTheLoop(int grid, int block) {
        Cases.run(
                """
                mov.b32 %r0, 0xffffffff;
                mad.lo.u32 %r1, %id, 13, 5;
                and.b32 %r1, %r1, 127;
                mov.u32 %r2, 0;
                HEAD:
                setp.gt.u32 %p0, %r1, 1;
                vote.sync.ballot.b32 %r0, %p0, %r0;
                @!%p0 bra END;
                and.b32 %r3, %r1, 1;
                setp.eq.u32 %p1, %r3, 0;
                vote.sync.any.pred %p2, %p1, %r0;
                redux.sync.add.u32 %r4, %r1, %r0;
                @%p2 add.u32 %r2, %r2, %r4;
                @%p1 bra HALVE;
                mad.lo.u32 %r1, %r1, 3, 1;
                bra HEAD;
                HALVE:
                shr.u32 %r1, %r1, 1;
                bra HEAD;
                END:
                bar.warp.sync 0xffffffff;
                st.global.u32 [%own], %r2;
                """,
                grid, block);
    }

    /** Operations under a guard, with the mask of those whose guard holds. */
    @ParameterizedTest
    @CsvSource({"1,32", "2,70"})
    void guardedOperations(int grid, int block) {
        Cases.run(
                """
                rem.u32 %r0, %id, 3;
                setp.eq.u32 %p0, %r0, 0;
                mov.u32 %r2, 5;
                mov.u32 %r4, 6;
                vote.sync.ballot.b32 %r1, %p0, 0xffffffff;
                not.b32 %r3, %r1;
                @%p0 redux.sync.add.u32 %r2, %id, %r1;
                @!%p0 redux.sync.add.u32 %r2, %lane, %r3;
                @%p0 bar.warp.sync %r1;
                @!%p0 match.any.sync.b32 %r4, %r0, %r3;
                mad.lo.u32 %r2, %r2, 31, %r4;
                st.global.u32 [%own], %r2;
                """,
                grid, block);
    }

    /** Lanes leave one after the other while the rest goes on with masks that still name them. */
    @ParameterizedTest
    @CsvSource({"1,32", "2,45"})
    void lanesLeaveOneByOne(int grid, int block) {
        Cases.run(
                """
                mov.u32 %r0, 0;
                mov.u32 %r1, 0;
                HEAD:
                setp.eq.u32 %p0, %r0, %lane;
                @%p0 st.global.u32 [%own], %r1;
                @%p0 exit;
                redux.sync.add.u32 %r2, %id, 0xffffffff;
                add.u32 %r1, %r1, %r2;
                setp.ge.u32 %p1, %id, 0;
                vote.sync.ballot.b32 %r3, %p1, 0xffffffff;
                xor.b32 %r1, %r1, %r3;
                add.u32 %r0, %r0, 1;
                bra HEAD;
                """,
                grid, block);
    }
}
