package facet.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A writer that goes to sleep in a full ring while a record is read sees the room or is woken. */
@JCStressTest
@Outcome(id = "written, did not sleep", expect = Expect.ACCEPTABLE, desc = "it saw the room")
@Outcome(
        id = "asleep, slept and was woken",
        expect = Expect.ACCEPTABLE,
        desc = "it fell asleep before, and was woken")
@Outcome(id = "asleep, sleeps for ever", expect = Expect.FORBIDDEN, desc = "the wake-up was lost")
@State
public class WriterSleepsStress {
    private final StressRing ring = new StressRing();

    public WriterSleepsStress() {
        ring.offer(1);
        ring.offer(2);
    }

    @Actor
    public void writer(LL_Result result) {
        try {
            boolean written = ring.writer.offer(Rings.record(3, StressRing.RECORD), Long.MAX_VALUE);
            result.r1 = written ? "written" : "gave up";
        } catch (StressParking.Asleep asleep) {
            result.r1 = "asleep";
        } catch (MalformedRecord e) {
            result.r1 = "malformed";
        }
    }

    @Actor
    public void reader() {
        ring.poll();
    }

    @Arbiter
    public void end(LL_Result result) {
        result.r2 = ring.parking.outcome();
    }
}
