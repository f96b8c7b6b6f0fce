package facet.node.session;

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
     * What to do before telling that it was reached: the stream retires the record itself a moment
     * after that, and who is told may ask whether the stream is idle.
     */
    Runnable settle() {
        SessionStream where = stream;
        long until = position;
        return () -> {
            if (where != null) {
                where.settle(until);
            }
        };
    }

    /** Whether the time at which it was reached means something. */
    boolean isTimed() {
        return timing && stream != null;
    }
}
