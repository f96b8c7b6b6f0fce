package facet.host.session;

import facet.device.Stream;
import facet.host.residency.Reach;
import java.util.function.Consumer;

/**
 * Something that a stream of the device is to do, checked: a command from the ring, or one that a
 * graph keeps.
 *
 * @param units what it counts in {@link InFlight}
 */
record Work(Reach reach, int units, Consumer<Stream> action) {

    /** A command that is no crime, and is not done either. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refused(String reason) {
            super(reason);
        }
    }

    void submit(SessionContext context, SessionStream stream) {
        context.submit(stream, reach, units, () -> action.accept(stream.device()));
    }
}
