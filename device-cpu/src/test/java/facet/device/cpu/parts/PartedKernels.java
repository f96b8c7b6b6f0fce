package facet.device.cpu.parts;

/** Hand-written kernels that rewriting can get wrong. Each thread has a word of the result. */
enum PartedKernels {
    /** Numbers of blocks in all dimensions, in a function and in one called through a pointer. */
    FUNCTIONS(
            """
            .func (.param .b32 r) number(.param .b32 a) {
                .reg .b32 %r<9>;
                mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;
                mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
                mad.lo.u32 %r3, %r3, %r5, %r2; mad.lo.u32 %r1, %r3, %r4, %r1;
                st.param.b32 [r], %r1;
                ret;
            }
            .func (.param .b32 r) size(.param .b32 a) {
                .reg .b32 %r<9>; .param .b32 q, b;
                ld.param.b32 %r1, [a]; st.param.b32 [b], %r1;
                call (q), number, (b);
                ld.param.b32 %r1, [q];
                mov.u32 %r2, %nctaid.z; mad.lo.u32 %r1, %r1, 1000, %r2;
                st.param.b32 [r], %r1;
                ret;
            }
            .global .align 8 .u64 table[2] = {number, size};
            """,
            """
            .param .b32 a, b;
            and.b32 %r1, %thread, 1;
            mul.wide.u32 %l1, %r1, 8;
            mov.u64 %l2, table; add.u64 %l2, %l2, %l1;
            ld.global.u64 %l3, [%l2];
            st.param.b32 [a], %thread;
            call (b), %l3, (a), proto;
            ld.param.b32 %r2, [b];
            st.global.u32 [%own], %r2;
            ret;
            proto: .callprototype (.param .b32 _) _ (.param .b32 _);
            """),

    /** A function ends threads, directly, further down, and where a result would be read. */
    EXIT_IN_FUNCTION(
            """
            .func (.param .b32 r) odd(.param .b32 a) {
                .reg .b32 %r<3>; .reg .pred %p;
                ld.param.b32 %r1, [a]; and.b32 %r2, %r1, 1; setp.ne.u32 %p, %r2, 0;
                st.param.b32 [r], %r1;
                @%p exit;
                ret;
            }
            .func (.param .b32 r) deeper(.param .b32 a) {
                .reg .b32 %r<3>; .param .b32 q, b;
                ld.param.b32 %r1, [a]; shr.u32 %r2, %r1, 1; st.param.b32 [b], %r2;
                call (q), odd, (b);
                ld.param.b32 %r2, [q];
                add.u32 %r2, %r2, 7; st.param.b32 [r], %r2;
                ret;
            }
            """,
            """
            { .param .b32 a, b;
            st.param.b32 [a], %thread;
            call (b), deeper, (a);
            ld.param.b32 %r2, [b];
            }
            st.global.u32 [%own], %r2;
            bar.sync 0;
            { .param .b32 a, b;
            st.param.b32 [a], %thread;
            call (b), odd, (a);
            ld.param.b32 %r3, [b];
            }
            bar.sync 0;
            add.u32 %r3, %r3, %block;
            st.global.u32 [%own], %r3;
            ret;
            """),

    /** Threads leave one after the other while the rest goes round a loop with barriers. */
    EARLY_EXIT_IN_LOOP(
            "",
            """
            mov.u32 %r1, 0;
            mul.wide.u32 %l1, %thread, 4; mov.u64 %l2, cells; add.u64 %l2, %l2, %l1;
            again:
            setp.gt.u32 %p1, %r1, %thread;
            @%p1 ret;
            add.u32 %r2, %r1, %block;
            st.shared.u32 [%l2], %r2;
            bar.sync 0;
            sub.u32 %r3, %threads, 1; sub.u32 %r3, %r3, %thread;
            max.u32 %r3, %r3, %thread;
            mul.wide.u32 %l3, %r3, 4; mov.u64 %l4, cells; add.u64 %l3, %l3, %l4;
            ld.shared.u32 %r4, [%l3];
            bar.sync 0;
            st.global.u32 [%own], %r4;
            add.u32 %r1, %r1, 1;
            setp.lt.u32 %p2, %r1, %threads;
            @%p2 bra again;
            """),

    /** The same with barriers that count and combine: who has left counts for nothing. */
    EARLY_EXIT_AND_COUNTS(
            "",
            """
            mov.u32 %r1, 0; mov.u32 %r5, 0;
            again:
            setp.ge.u32 %p1, %r1, %thread;
            @%p1 exit;
            and.b32 %r2, %thread, 1; setp.eq.u32 %p3, %r2, 0;
            bar.red.popc.u32 %r3, 2, %p3;
            mad.lo.u32 %r5, %r5, 31, %r3;
            bar.red.and.pred %p4, 1, %p3;
            selp.u32 %r3, 1, 0, %p4; mad.lo.u32 %r5, %r5, 31, %r3;
            bar.red.or.pred %p5, 1, !%p3;
            selp.u32 %r3, 1, 0, %p5; mad.lo.u32 %r5, %r5, 31, %r3;
            barrier.sync 0;
            add.u32 %r3, %r5, %block;
            st.global.u32 [%own], %r3;
            add.u32 %r1, %r1, 1;
            bra again;
            """),

    /** Barriers in a function, called by some threads more often than by others. */
    BARRIER_IN_FUNCTION(
            """
            .func meet(.param .b32 a) {
                .reg .b32 %r; .reg .pred %p;
                ld.param.b32 %r, [a]; setp.eq.u32 %p, %r, 3;
                @%p ret;
                bar.sync 3;
                ret;
            }
            """,
            """
            mov.u32 %r1, 0;
            mul.wide.u32 %l1, %thread, 4; mov.u64 %l2, cells; add.u64 %l2, %l2, %l1;
            again:
            setp.gt.u32 %p1, %r1, %thread;
            @%p1 ret;
            add.u32 %r2, %r1, %block;
            st.shared.u32 [%l2], %r2;
            { .param .b32 a; st.param.b32 [a], 0; call meet, (a); }
            sub.u32 %r3, %threads, 1;
            mul.wide.u32 %l3, %r3, 4; mov.u64 %l4, cells; add.u64 %l3, %l3, %l4;
            ld.shared.u32 %r4, [%l3];
            { .param .b32 a; st.param.b32 [a], 3; call meet, (a); }
            bar.sync 0;
            st.global.u32 [%own], %r4;
            add.u32 %r1, %r1, 1;
            setp.lt.u32 %p2, %r1, %threads;
            @%p2 bra again;
            """),

    /** Counted barriers stay what they are. */
    COUNTED_BARRIERS(
            "",
            """
            mul.wide.u32 %l1, %thread, 4; mov.u64 %l2, cells; add.u64 %l2, %l2, %l1;
            add.u32 %r1, %thread, %block;
            st.shared.u32 [%l2], %r1;
            setp.lt.u32 %p1, %thread, 32;
            @!%p1 bra upper;
            bar.sync 1, 32;
            bra both;
            upper:
            sub.u32 %r6, %threads, 32; add.u32 %r6, %r6, 31; and.b32 %r6, %r6, -32;
            bar.sync 2, %r6;
            both:
            xor.b32 %r2, %thread, 1; sub.u32 %r5, %threads, 1; min.u32 %r2, %r2, %r5;
            mul.wide.u32 %l3, %r2, 4; mov.u64 %l4, cells; add.u64 %l3, %l3, %l4;
            ld.shared.u32 %r3, [%l3];
            st.global.u32 [%own], %r3;
            """),

    /** Shared memory of one block is written while another thread could still read it. */
    SHARED_MEMORY(
            "",
            """
            mul.wide.u32 %l1, %thread, 4; mov.u64 %l2, cells; add.u64 %l2, %l2, %l1;
            mad.lo.u32 %r1, %block, 1000, %thread;
            st.shared.u32 [%l2], %r1;
            bar.sync 0;
            sub.u32 %r2, %threads, 1; sub.u32 %r2, %r2, %thread;
            mul.wide.u32 %l3, %r2, 4; mov.u64 %l4, cells; add.u64 %l3, %l3, %l4;
            ld.shared.u32 %r3, [%l3];
            st.global.u32 [%own], %r3;
            """),

    /** Warps exchange values, then part of the threads go on. */
    WARPS_FIRST(
            "",
            """
            shfl.sync.bfly.b32 %r1, %thread, 1, 31, -1;
            vote.sync.ballot.b32 %r2, %p1, -1;
            add.u32 %r1, %r1, %block;
            setp.gt.u32 %p2, %thread, 5;
            @%p2 ret;
            st.global.u32 [%own], %r1;
            """),

    /** A block waits for the one before it, as scans of one pass do. */
    LOOK_BACK(
            "",
            """
            setp.ne.u32 %p1, %thread, 0;
            @%p1 ret;
            mul.wide.u32 %l1, %block, 4; add.u64 %l1, %l1, %memory;
            mov.u32 %r2, 0;
            setp.eq.u32 %p2, %block, 0;
            @%p2 bra mine;
            wait:
            ld.volatile.global.u32 %r2, [%l1+-4];
            setp.eq.u32 %p3, %r2, 0;
            @%p3 bra wait;
            mine:
            add.u32 %r2, %r2, 3; add.u32 %r2, %r2, %block;
            st.volatile.global.u32 [%l1], %r2;
            st.global.u32 [%own], %r2;
            """);

    /** A word of each thread begins here; below are words of blocks. */
    static final int OWN = 4096;

    private static final String BEFORE =
            """
            .visible .entry kernel(.param .u32 unused, .param .u64 memory) {
            .reg .b32 %r<20>, %thread, %block, %threads, %t<9>;
            .reg .b64 %l<20>, %memory, %own;
            .reg .pred %p<20>;
            ld.param.u64 %memory, [memory];
            mov.u32 %thread, %tid.x; mov.u32 %threads, %ntid.x;
            mov.u32 %t1, %ctaid.x; mov.u32 %t2, %ctaid.y; mov.u32 %t3, %ctaid.z;
            mov.u32 %t4, %nctaid.x; mov.u32 %t5, %nctaid.y;
            mad.lo.u32 %block, %t3, %t5, %t2; mad.lo.u32 %block, %block, %t4, %t1;
            mad.lo.u32 %t6, %block, %threads, %thread;
            mul.wide.u32 %own, %t6, 4; add.u64 %own, %own, %memory; add.u64 %own, %own, 4096;
            """;

    final String text;

    PartedKernels(String functions, String body) {
        text =
                ".version 8.0\n.target sm_80\n.address_size 64\n"
                        + ".shared .align 4 .b32 cells[1024];\n"
                        + functions
                        + BEFORE
                        + body
                        + "ret;\n}\n";
    }
}
