package facet.doors.events;

import facet.log.Log;
import facet.log.Rate;
import facet.log.Who;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where everybody tells what happened, and others ask. */
public final class Events {
    /** So many are kept. */
    public static final int MOST = EventRing.USUAL;

    /** As many as are answered at once when nobody says. */
    public static final int USUAL_LIMIT = 1000;

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
        if (isAdmitted(who)) {
            write(kind, who, text);
        }
    }

    /** For what stands in the log already. */
    public void addLogged(Kind kind, Who who, String text) {
        if (isAdmitted(who)) {
            ring.add(kind, who, Log.clean(text));
        }
    }

    private boolean isAdmitted(Who who) {
        if (rate == null) {
            return true;
        }
        long leftOut = rate.admit();
        if (leftOut > 0) {
            write(Kind.LEFT_OUT, who, leftOut + " events were too many and are left out");
        }
        return leftOut >= 0;
    }

    /** About a slice. */
    public void add(Kind kind, String slice, String text) {
        add(kind, Who.slice(slice), text);
    }

    private void write(Kind kind, Who who, String text) {
        String clean = Log.clean(text);
        ring.add(kind, who, clean);
        log.say(kind.level(), who, kind.text(), clean);
    }

    /** Sequence of the last one; 0 when there was none. */
    public long last() {
        return ring.last();
    }

    /** How many there were, by kind; those too that are not kept any more. */
    public Map<String, Long> counts() {
        return ring.counts();
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

    /** The same, as it is answered. */
    public Map<String, Object> answer(long sequence, int limit) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("events", since(sequence, limit).stream().map(Event::row).toList());
        answer.put("lastEvent", last());
        return answer;
    }

    /** Waits until there is one that came later, but not for longer than that. */
    public void await(long sequence, long millis) throws InterruptedException {
        ring.await(sequence, millis);
    }
}
