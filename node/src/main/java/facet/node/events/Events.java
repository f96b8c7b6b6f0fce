package facet.node.events;

import facet.node.log.Log;
import facet.node.log.Rate;
import facet.node.log.Who;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where everybody tells what happened, and others ask. */
public final class Events {
    private final EventRing ring;
    private final Log log;
    private final @Nullable Rate rate;

    public Events(Log log) {
        this(new EventRing(EventRing.USUAL), log, null);
    }

    private Events(EventRing ring, Log log, @Nullable Rate rate) {
        this.ring = ring;
        this.log = log;
        this.rate = rate;
    }

    /** For somebody whose clients decide how much happens: a hundred at once, then one a second. */
    public Events limited() {
        return new Events(ring, log, new Rate(System::nanoTime));
    }

    public void add(Kind kind, Who who, String text) {
        if (rate != null) {
            long leftOut = rate.admit();
            if (leftOut < 0) {
                return;
            }
            if (leftOut > 0) {
                write(Kind.LEFT_OUT, who, leftOut + " events were too many and are left out");
            }
        }
        write(kind, who, text);
    }

    /** About a slice. */
    public void add(Kind kind, String slice, String text) {
        add(kind, Who.slice(slice), text);
    }

    private void write(Kind kind, Who who, String text) {
        String clean = Log.clean(text);
        ring.add(kind, who, clean);
        log.say(kind.level(), who, clean);
    }

    /** Sequence of the last one; 0 when there was none. */
    public long last() {
        return ring.last();
    }

    /**
     * The oldest of those that came later.
     *
     * @param sequence of the last one that is known
     * @param limit how many at most
     */
    public List<Event> since(long sequence, int limit) {
        return ring.since(sequence, limit);
    }

    /**
     * The same; waits for one.
     *
     * @param millis how long at most
     */
    public List<Event> await(long sequence, int limit, long millis) throws InterruptedException {
        return ring.await(sequence, limit, millis);
    }
}
