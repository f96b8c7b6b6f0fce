package facet.node.sharing;

import facet.sched.Calendar;
import facet.sched.Policy;
import facet.sched.Terms;
import java.time.Duration;
import java.util.SplittableRandom;

/** A kernel whose time is its argument, and any terms for who runs it. */
final class Loop {
    /** loop(out, rounds): each block computes for so many rounds and stores the result. */
    static final String PTX =
            """
            .version 8.0
            .target sm_75
            .address_size 64
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

    private Loop() {}

    static long result(long rounds) {
        long value = 1;
        for (long i = 0; i < rounds; i++) {
            value = value * 6364136223846793005L + 1442695040888963407L;
        }
        return value;
    }

    static Terms anyTerms(SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0 -> Terms.fixed(5 + random.nextInt(20));
            case 1 -> Terms.burst(1 + random.nextInt(25));
            case 2 -> Terms.priority(random.nextInt(3));
            case 3 -> Terms.turns(Duration.ofMillis(1 + random.nextInt(10)));
            case 4 -> new Terms(Policy.BURST, 10, 0, Terms.DEFAULT_TURN, Calendar.EMPTY, 1);
            default -> Terms.REST;
        };
    }
}
