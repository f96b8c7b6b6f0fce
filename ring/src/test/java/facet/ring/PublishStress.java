package facet.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Records that are published while somebody reads arrive whole, in order, and once. */
@JCStressTest
@Outcome(
        id = "nothing, nothing, record 1 record 2",
        expect = Expect.ACCEPTABLE,
        desc = "the reader came before both")
@Outcome(
        id = "nothing, record 1, record 2 nothing",
        expect = Expect.ACCEPTABLE,
        desc = "the first came between the looks")
@Outcome(
        id = "record 1, nothing, record 2 nothing",
        expect = Expect.ACCEPTABLE,
        desc = "the second came after the looks")
@Outcome(
        id = "record 1, record 2, nothing nothing",
        expect = Expect.ACCEPTABLE,
        desc = "the reader came after both")
@State
public class PublishStress {
    private final StressRing ring = new StressRing();

    @Actor
    public void writer() {
        ring.offer(1);
        ring.offer(2);
    }

    @Actor
    public void reader(LLL_Result result) {
        result.r1 = ring.poll();
        result.r2 = ring.poll();
    }

    @Arbiter
    public void rest(LLL_Result result) {
        result.r3 = ring.poll() + " " + ring.poll();
    }
}
