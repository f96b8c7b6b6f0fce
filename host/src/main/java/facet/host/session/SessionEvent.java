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

    /**
     * @param given whether the device has the record already. Then it knows first that it was
     *     reached: who waited in another stream may ask before this one has retired it.
     */
    private record Mark(StreamProgress stream, long position, boolean given) {}

    SessionEvent(Event device, boolean timing) {
        this.device = device;
        this.timing = timing;
    }

    Event device() {
        return device;
    }

    /** The device was given its record, as the last command of the stream so far. */
    void recorded(SessionStream where) {
        recorded(where, true);
    }

    /** The last command of the stream so far will record it. */
    void willBeRecorded(SessionStream where) {
        recorded(where, false);
    }

    private void recorded(SessionStream where, boolean given) {
        where.mark();
        mark = new Mark(where.progress(), where.issued(), given);
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
        return last == null
                || last.stream.hasRetired(last.position)
                || last.given && device.isComplete();
    }

    /** Whether the time at which it was reached means something. */
    boolean isTimed() {
        return timing && mark != null;
    }
}
