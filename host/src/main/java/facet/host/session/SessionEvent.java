package facet.host.session;

import facet.device.Event;
import org.jspecify.annotations.Nullable;

/**
 * An event of a client. Other sessions of its slice may have it open: each of them may record it,
 * and wait for it.
 */
final class SessionEvent {
    private final Event device;
    private final boolean timing;

    /** Where it was recorded last; one value, since others may look at any time. */
    private volatile @Nullable Mark mark;

    private record Mark(StreamProgress stream, long position) {}

    SessionEvent(Event device, boolean timing) {
        this.device = device;
        this.timing = timing;
    }

    Event device() {
        return device;
    }

    /** It was recorded in the stream, as the last command so far. */
    void recorded(SessionStream where) {
        where.mark();
        mark = new Mark(where.progress(), where.issued());
    }

    /**
     * Runs the action when it was reached, and the stream has retired the record itself: who is
     * told may ask whether the stream is idle.
     */
    void whenReached(Runnable action) {
        Mark last = mark;
        if (last == null) {
            action.run();
        } else {
            last.stream.whenRetired(last.position, action);
        }
    }

    boolean isReached() {
        Mark last = mark;
        return last == null || last.stream.hasRetired(last.position);
    }

    /** Whether the time at which it was reached means something. */
    boolean isTimed() {
        return timing && mark != null;
    }
}
