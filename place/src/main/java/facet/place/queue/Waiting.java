package facet.place.queue;

import facet.place.Gang;
import java.util.Comparator;

/**
 * A gang that waits.
 *
 * @param since when it came; who began and had to leave keeps the time at which it came first
 * @param number of its coming, to tell equals apart
 */
record Waiting(Gang gang, long since, long number) {
    /** Within a queue: more priority first, then who came first. */
    static final Comparator<Waiting> ORDER =
            Comparator.comparingInt((Waiting each) -> each.gang().priority())
                    .reversed()
                    .thenComparingLong(Waiting::since)
                    .thenComparingLong(Waiting::number);

    boolean hasGivenUp(long now) {
        return gang.patience() != Gang.FOREVER && now - since >= gang.patience();
    }
}
