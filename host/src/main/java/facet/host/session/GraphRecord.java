package facet.host.session;

import facet.device.Stream;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A step of a graph that records an event. Whoever waits for the event waits for the launch. */
final class GraphRecord implements Supplier<Consumer<Stream>> {
    private final SessionContext context;
    private final int number;

    GraphRecord(SessionContext context, int number) {
        this.context = context;
        this.number = number;
    }

    @Override
    public Consumer<Stream> get() {
        SessionEvent event = context.event(number);
        return stream -> stream.record(event.device());
    }

    /** The launch was given to a stream, as its last command so far. */
    void recordedIn(SessionStream stream) {
        context.event(number).recorded(stream);
    }
}
