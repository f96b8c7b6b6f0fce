package facet.ring;

import facet.abi.Constants;
import facet.abi.ReplySlotLayout;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A caller that goes to sleep while it is answered sees the whole answer or is woken. */
@JCStressTest
@Outcome(id = "answer, did not sleep", expect = Expect.ACCEPTABLE, desc = "it saw the answer")
@Outcome(
        id = "asleep, slept and was woken",
        expect = Expect.ACCEPTABLE,
        desc = "it fell asleep before, and was woken")
@Outcome(id = "asleep, sleeps for ever", expect = Expect.FORBIDDEN, desc = "the wake-up was lost")
@State
public class ReplyStress {
    private final StressParking parking = new StressParking();
    private final ReplySlots slots =
            new ReplySlots(
                    MemorySegment.ofArray(
                            new long[Constants.REPLY_SLOTS * ReplySlotLayout.BYTES / 8]),
                    0,
                    parking);

    public ReplyStress() {
        slots.pend(5);
    }

    @Actor
    public void caller(LL_Result result) {
        try {
            WaitStrategy.withoutSpinning().await(new ReplyWait(slots, 5), Long.MAX_VALUE);
            Reply reply = slots.read(5);
            boolean whole =
                    reply.result() == 1
                            && reply.sequence() == 2
                            && reply.payload()[0] == 3
                            && reply.payload()[5] == 8;
            result.r1 = whole ? "answer" : "torn";
        } catch (StressParking.Asleep asleep) {
            result.r1 = "asleep";
        }
    }

    @Actor
    public void host() {
        slots.reply(5, 2, 1, 3, 4, 5, 6, 7, 8);
    }

    @Arbiter
    public void end(LL_Result result) {
        result.r2 = parking.outcome();
    }
}
