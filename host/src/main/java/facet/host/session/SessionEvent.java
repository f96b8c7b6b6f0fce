package facet.host.session;

import facet.device.Event;
import org.jspecify.annotations.Nullable;

/** An event of a client. */
final class SessionEvent {
    private final Event device;
    private final boolean timing;
    private @Nullable SessionStream stream;
    private long position;

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
        stream = where;
        position = where.issued();
    }

    /**
     * Runs the action when it was reached, and the stream has retired the record itself: who is
     * told may ask whether the stream is idle.
     */
    void whenReached(Runnable action) {
        if (stream == null) {
            action.run();
        } else {
            stream.whenRetired(position, action);
        }
    }

    boolean isReached() {
        return stream == null || stream.hasRetired(position);
    }

    /** Whether the time at which it was reached means something. */
    boolean isTimed() {
        return timing && stream != null;
    }
}
