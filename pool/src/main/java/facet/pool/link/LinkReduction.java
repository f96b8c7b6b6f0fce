package facet.pool.link;

import java.util.concurrent.atomic.LongAdder;

/**
 * What those who use a link know of it and the link itself does not: what they would have sent, and
 * that somebody waited. Any thread.
 */
public final class LinkReduction {
    private final LongAdder leftOutSending = new LongAdder();
    private final LongAdder leftOutReceiving = new LongAdder();
    private final LongAdder roundTrips = new LongAdder();

    LinkReduction() {}

    /** A message of so many bytes stands for so many. */
    public void sent(long bytes, long plain) {
        leftOutSending.add(plain - bytes);
    }

    public void received(long bytes, long plain) {
        leftOutReceiving.add(plain - bytes);
    }

    /** A program waits for an answer from the other side. */
    public void waited() {
        roundTrips.increment();
    }

    LinkFigures figures() {
        return new LinkFigures(
                0, 0, leftOutSending.sum(), leftOutReceiving.sum(), roundTrips.sum(), 0, 0, 0);
    }
}
