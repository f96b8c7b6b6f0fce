package facet.node.session;

import facet.device.Event;

/** An event of a client. */
final class SessionEvent {
    private final Event device;
    private final boolean timing;
    private boolean recorded;

    SessionEvent(Event device, boolean timing) {
        this.device = device;
        this.timing = timing;
    }

    Event device() {
        return device;
    }

    void record() {
        recorded = true;
    }

    /** Whether the time at which it was reached means something. */
    boolean isTimed() {
        return timing && recorded;
    }
}
