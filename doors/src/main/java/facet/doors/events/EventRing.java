package facet.doors.events;

import facet.log.Who;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The last events. */
final class EventRing {
    static final int USUAL = 10_000;

    /** Each at its sequence modulo the length. */
    private final @Nullable Event[] events;

    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private long last;

    EventRing(int most) {
        events = new Event[most];
    }

    synchronized void add(Kind kind, Who who, String text) {
        last++;
        counts.merge(kind, 1L, Long::sum);
        events[(int) (last % events.length)] =
                new Event(last, System.currentTimeMillis(), kind, who, text);
        notifyAll();
    }

    synchronized Map<String, Long> counts() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Kind each : Kind.values()) {
            all.put(each.text(), counts.getOrDefault(each, 0L));
        }
        return all;
    }

    synchronized long last() {
        return last;
    }

    synchronized List<Event> since(long sequence, int limit) {
        List<Event> found = new ArrayList<>();
        for (long i = Math.max(sequence, last - events.length) + 1;
                i <= last && found.size() < limit;
                i++) {
            found.add(Objects.requireNonNull(events[(int) (i % events.length)]));
        }
        return found;
    }

    synchronized void await(long sequence, long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (sequence >= last) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }
}
