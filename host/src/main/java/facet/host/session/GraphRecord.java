package facet.host.session;

import java.util.function.Supplier;

/** A step of a graph that records an event. Whoever waits for the event waits for the launch. */
final class GraphRecord implements Supplier<Work> {
    private final SessionContext context;
    private final int number;

    GraphRecord(SessionContext context, int number) {
        this.context = context;
        this.number = number;
    }

    @Override
    public Work get() {
        SessionEvent event = context.events().get(number);
        return stream -> stream.record(event.device());
    }

    /** The launch was given to a stream, as its last command so far. */
    void recordedIn(SessionStream stream) {
        context.events().get(number).willBeRecorded(stream);
    }
}
