package facet.host.session;

import facet.device.Context;
import facet.device.DeviceException;
import facet.device.Event;
import facet.host.ledger.Tally;
import facet.host.share.Shares;
import facet.host.share.Token;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The events of a context. */
final class ContextEvents {
    private static final int MOST = 1 << 20;

    private final Context device;
    private final Event spare;
    private final Handles<SessionEvent> all;
    private final Shares shares;

    /** What other sessions know them by. */
    private final Map<Integer, Token> names = new ConcurrentHashMap<>();

    ContextEvents(Context device, Tally tally, Shares shares) {
        this.shares = shares;
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

    /** By which other sessions may open it. */
    Token share(int number) {
        SessionEvent event = all.get(number);
        return names.computeIfAbsent(number, _ -> shares.name(event));
    }

    /** An event of another session; false when nobody has given one this name. */
    boolean open(int number, Token name) {
        all.checkFree(number);
        if (shares.event(name) instanceof SessionEvent event) {
            all.put(number, event);
            return true;
        }
        return false;
    }

    private void forgetName(int number) {
        Token name = names.remove(number);
        if (name != null) {
            shares.forgetEvent(name);
        }
    }

    void destroy(int number) {
        all.remove(number);
        forgetName(number);
        all.ended();
    }

    void forgetAll() {
        List.copyOf(names.keySet()).forEach(this::forgetName);
        all.endAll();
    }
}
