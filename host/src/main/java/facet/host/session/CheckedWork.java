package facet.host.session;

import facet.host.residency.Reach;

/**
 * Work that a command asks for, checked: one from the ring, or one that a graph keeps.
 *
 * @param reach what it touches
 * @param units what it counts in {@link InFlight}
 */
record CheckedWork(Reach reach, int units, Work work) {

    /** A command that is no crime, and is not done either. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refused(String reason) {
            super(reason);
        }
    }

    void submit(SessionContext context, SessionStream stream) {
        context.work().submit(stream, reach, units, work);
    }
}
