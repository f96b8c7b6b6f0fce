package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asynchronous copies, mbarriers and the stack (PTX ISA 9.7.9.25, 9.7.13.15, 9.7.17). */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AsyncTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private static final long A = 0x1122334455667788L;
    private static final long B = 0x99aabbccddeeff00L;

    private static long[] copy(String copy) {
        long[] results =
                Snippet.run(
                        gpu,
                        "mov.b64 %rd4, 0xffffffffffffffff;\n"
                                + "st.shared.b64 [s], %rd4; st.shared.b64 [s+8], %rd4;\n"
                                + "setp.eq.u32 %p0, %t, %t; mov.u32 %r5, 6;\n"
                                + copy
                                + "cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all;\n"
                                + "ld.shared.b64 %d0, [s]; ld.shared.b64 %d1, [s+8];",
                        1,
                        A,
                        B);
        return new long[] {results[0], results[1]};
    }

    @Test
    void copies() {
        assertArrayEquals(new long[] {A, B}, copy("cp.async.cg.shared.global [s], [%in], 16;"));
        assertArrayEquals(
                new long[] {A, -1}, copy("cp.async.ca.shared::cta.global [s], [%in], 8;"));
        assertArrayEquals(
                new long[] {-1L << 32 | B >>> 32, -1},
                copy("cp.async.ca.shared.global.L2::128B [s], [%in+12], 4;"));
    }

    @Test
    void fillsWithZero() {
        assertArrayEquals(
                new long[] {A & 0xffff_ffff_ffffL, 0},
                copy("cp.async.cg.shared.global [s], [%in], 16, %r5;"));
        assertArrayEquals(new long[] {0, 0}, copy("cp.async.cg.shared.global [s], [%rd9], 16, 0;"));
        assertArrayEquals(
                new long[] {0, 0}, copy("cp.async.cg.shared.global [s], [%in], 16, %p0;"));
        assertArrayEquals(
                new long[] {A, B}, copy("cp.async.cg.shared.global [s], [%in], 16, !%p0;"));
    }

    /** The last thread leaves the value that all others wait for. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 32, 33, 256})
    void threadsWaitForAnMbarrier(int threads) {
        String body =
                """
                setp.ne.u32 %%p0, %%t, 0;
                @%%p0 bra READY;
                mbarrier.init.shared.b64 [s], %1$d;
                READY: bar.sync 0;
                setp.ne.u32 %%p1, %%t, %2$d;
                @%%p1 bra ARRIVE;
                mov.u32 %%r5, 42;
                st.shared.u32 [s+8], %%r5;
                ARRIVE: mbarrier.arrive.shared.b64 %%rd5, [s];
                WAIT: mbarrier.try_wait.shared.b64 %%p2, [s], %%rd5;
                @!%%p2 bra WAIT;
                ld.shared.u32 %%r6, [s+8];
                cvt.u64.u32 %%d0, %%r6;
                AGAIN: mbarrier.test_wait.parity.shared.b64 %%p2, [s], 0;
                @!%%p2 bra AGAIN;
                mbarrier.test_wait.parity.shared.b64 %%p2, [s], 1;
                selp.b64 %%d1, 1, 0, %%p2;
                """
                        .formatted(threads, threads - 1);
        long[] results = Snippet.run(gpu, body, threads);
        for (int t = 0; t < threads; t++) {
            assertEquals(42, results[4 * t]);
            assertEquals(0, results[4 * t + 1]);
        }
    }

    /** Bytes that are expected hold the phase back; generic addresses name the object too. */
    @Test
    void countsBytesAndPending() {
        String body =
                """
                mov.u32 %r4, s;
                cvt.u64.u32 %rd4, %r4;
                cvta.shared.u64 %rd4, %rd4;
                mbarrier.init.b64 [%rd4], 3;
                mbarrier.arrive.noComplete.b64 %rd5, [%rd4], 1;
                mbarrier.pending_count.b64 %r5, %rd5;
                cvt.u64.u32 %d0, %r5;
                mbarrier.arrive.expect_tx.b64 %rd5, [%rd4], 64;
                mbarrier.arrive_drop.b64 %rd5, [%rd4];
                mbarrier.pending_count.b64 %r5, %rd5;
                cvt.u64.u32 %d1, %r5;
                mbarrier.test_wait.b64 %p0, [%rd4], %rd5;
                selp.b64 %d2, 1, 0, %p0;
                mbarrier.complete_tx.b64 [%rd4], 64;
                mbarrier.test_wait.b64 %p0, [%rd4], %rd5;
                selp.b64 %d3, 2, 0, %p0;
                cp.async.mbarrier.arrive.b64 [%rd4];
                cp.async.mbarrier.arrive.noinc.b64 [%rd4];
                mbarrier.arrive.b64 %rd6, [%rd4];
                mbarrier.pending_count.b64 %r5, %rd6;
                cvt.u64.u32 %rd6, %r5;
                shl.b64 %rd6, %rd6, 4;
                or.b64 %d3, %d3, %rd6;
                mbarrier.inval.b64 [%rd4];
                """;
        assertArrayEquals(new long[] {3, 1, 0, 0x12}, Snippet.run(gpu, body, 1));
    }

    @Test
    void allocatesOnTheStack() {
        String function =
                """
                .func (.param .u64 result) sum(.param .u64 count)
                {
                .reg .b64 %n; .reg .b64 %p; .reg .b64 %i; .reg .b64 %x; .reg .b64 %total;
                .reg .pred %more;
                ld.param.u64 %n, [count];
                shl.b64 %x, %n, 3;
                alloca.u64 %p, %x, 16;
                mov.u64 %i, 0;
                FILL: mad.lo.u64 %x, %i, 8, %p;
                st.local.u64 [%x], %i;
                add.u64 %i, %i, 1;
                setp.lt.u64 %more, %i, %n;
                @%more bra FILL;
                mov.u64 %total, 0;
                ADD: sub.u64 %i, %i, 1;
                mad.lo.u64 %x, %i, 8, %p;
                ld.local.u64 %x, [%x];
                add.u64 %total, %total, %x;
                setp.ne.u64 %more, %i, 0;
                @%more bra ADD;
                st.param.u64 [result], %total;
                ret;
                }
                """;
        String body =
                """
                stacksave.u64 %rd4;
                alloca.u64 %rd5, 24;
                cvt.u64.u32 %rd8, %t;
                st.local.u64 [%rd5], %rd8;
                mov.u64 %d1, 0;
                mov.u32 %r9, 0;
                REPEAT:
                { .param .u64 n; .param .u64 back;
                  st.param.u64 [n], 10;
                  call (back), sum, (n);
                  ld.param.u64 %d0, [back]; }
                add.u64 %d1, %d1, %d0;
                add.u32 %r9, %r9, 1;
                setp.lt.u32 %p0, %r9, 500;
                @%p0 bra REPEAT;
                ld.local.u64 %d2, [%rd5];
                stackrestore.u64 %rd4;
                alloca.u64 %rd6, 8;
                sub.u64 %d3, %rd6, %rd5;
                """;
        for (String variant :
                new String[] {function, function.replace("ret;", "bar.sync 0; ret;")}) {
            long[] results = Snippet.runModule(gpu, Snippet.module(body, variant, 0), 40);
            for (int t = 0; t < 40; t++) {
                assertEquals(45, results[4 * t]);
                assertEquals(500 * 45, results[4 * t + 1]);
                assertEquals(t, results[4 * t + 2]);
                assertEquals(0, results[4 * t + 3]);
            }
        }
    }
}
