package facet.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A reader that goes to sleep while a record is published sees it or is woken. */
@JCStressTest
@Outcome(id = "record 1, did not sleep", expect = Expect.ACCEPTABLE, desc = "it saw the record")
@Outcome(
        id = "asleep, slept and was woken",
        expect = Expect.ACCEPTABLE,
        desc = "it fell asleep before, and was woken")
@Outcome(id = "asleep, sleeps for ever", expect = Expect.FORBIDDEN, desc = "the wake-up was lost")
@State
public class ReaderSleepsStress {
    private final StressRing ring = new StressRing();

    @Actor
    public void reader(LL_Result result) {
        try {
            result.r1 = ring.reader.await(Long.MAX_VALUE) ? ring.poll() : "gave up";
        } catch (StressParking.Asleep asleep) {
            result.r1 = "asleep";
        }
    }

    @Actor
    public void writer() {
        ring.offer(1);
    }

    @Arbiter
    public void end(LL_Result result) {
        result.r2 = ring.parking.outcome();
    }
}
