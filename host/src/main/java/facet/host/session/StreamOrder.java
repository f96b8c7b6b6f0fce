package facet.host.session;

import facet.device.Context;
import facet.device.Event;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order that CUDA's legacy default stream makes: its work waits for all earlier work of
 * blocking streams, and theirs for its. Costs nothing while one of them is idle.
 */
final class StreamOrder {
    private final Context context;
    private final SessionStream legacy;
    private final List<SessionStream> blocking = new ArrayList<>();
    private @Nullable Event mark;
    private long markedVersion = -1;

    StreamOrder(Context context, SessionStream legacy) {
        this.context = context;
        this.legacy = legacy;
    }

    void add(SessionStream stream) {
        if (stream.isBlocking()) {
            blocking.add(stream);
        }
    }

    void remove(SessionStream stream) {
        blocking.remove(stream);
    }

    /** Comes before work is given to the stream. */
    void before(SessionStream stream) {
        if (stream == legacy) {
            awaitBlocking();
        } else if (stream.isBlocking()) {
            awaitLegacy(stream);
        }
        stream.version++;
    }

    private void awaitBlocking() {
        for (SessionStream other : blocking) {
            if (other.seenByLegacy != other.version) {
                if (!other.isIdle()) {
                    Event event = context.createEvent();
                    // Who waits for the event is to find retired what was before it.
                    other.mark();
                    other.device().record(event);
                    legacy.device().await(event);
                }
                other.seenByLegacy = other.version;
            }
        }
    }

    private void awaitLegacy(SessionStream stream) {
        if (stream.seenLegacy == legacy.version) {
            return;
        }
        if (!legacy.isIdle()) {
            Event event = mark;
            if (event == null || markedVersion != legacy.version) {
                event = context.createEvent();
                legacy.mark();
                legacy.device().record(event);
                mark = event;
                markedVersion = legacy.version;
            }
            stream.device().await(event);
        }
        stream.seenLegacy = legacy.version;
    }

    /** Whether the legacy stream and all that it would wait for have ended. */
    boolean isLegacyIdle() {
        for (SessionStream other : blocking) {
            if (!other.isIdle()) {
                return false;
            }
        }
        return legacy.isIdle();
    }
}
