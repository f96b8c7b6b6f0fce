package facet.host.session;

import facet.device.Context;
import facet.device.DeviceException;
import facet.device.Event;
import facet.host.ledger.Tally;

/** The events of a context. */
final class ContextEvents {
    private static final int MOST = 1 << 20;

    private final Context device;
    private final Event spare;
    private final Handles<SessionEvent> all;

    ContextEvents(Context device, Tally tally) {
        this.device = device;
        spare = device.createEvent();
        all = new Handles<>("event", MOST, tally);
    }

    SessionEvent get(int number) {
        return all.get(number);
    }

    void create(int number, boolean timing) {
        all.checkFree(number);
        all.put(number, new SessionEvent(make(), timing));
    }

    /** After a fault there are no new events, and nothing to record: the spare one serves. */
    private Event make() {
        try {
            return device.createEvent();
        } catch (DeviceException e) {
            if (device.fault().isEmpty()) {
                throw e;
            }
            return spare;
        }
    }

    void destroy(int number) {
        all.remove(number);
        all.ended();
    }

    void forgetAll() {
        all.endAll();
    }
}
