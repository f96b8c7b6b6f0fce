package facet.host.session;

import facet.abi.Result;
import facet.device.Context;
import facet.device.DeviceException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The streams of a context: which there are, their order, and when their work has ended. */
final class ContextStreams {
    private static final int MOST = 1 << 16;

    private final Session session;
    private final Context device;
    private final ContextReport report;
    private final SessionStream legacy;
    private final StreamOrder order;
    private final Handles<SessionStream> all;
    private final List<SessionStream> destroyed = new ArrayList<>();
    private final ArrayDeque<SessionStream> unmarked = new ArrayDeque<>();
    private int latched = Result.SUCCESS;

    ContextStreams(Session session, Context device, ContextReport report) {
        this.session = session;
        this.device = device;
        this.report = report;
        all = new Handles<>("stream", MOST, session.tally());
        legacy = new SessionStream(0, device, true, report, session.inFlight());
        all.put(0, legacy);
        order = new StreamOrder(device, legacy);
    }

    SessionStream get(int number) {
        return all.get(number);
    }

    void create(int number, boolean blocking) {
        sweep();
        all.checkFree(number);
        SessionStream stream = make(number, blocking);
        all.put(number, stream);
        order.add(stream);
    }

    /** After a fault there are no new streams, and no work either: the legacy one serves. */
    private SessionStream make(int number, boolean blocking) {
        try {
            return new SessionStream(number, device, blocking, report, session.inFlight());
        } catch (DeviceException e) {
            if (device.fault().isEmpty()) {
                throw e;
            }
            return SessionStream.borrowed(number, legacy, blocking, report, session.inFlight());
        }
    }

    /** The stream's work goes on; only its number is free again. */
    void destroy(int number) {
        if (number == 0) {
            throw new ProtocolViolation("the legacy stream cannot be destroyed");
        }
        destroyed.add(all.remove(number));
        if (destroyed.size() > MOST) {
            throw new ProtocolViolation(
                    "more than " + MOST + " streams that are destroyed and not done");
        }
        sweep();
    }

    private void sweep() {
        destroyed.removeIf(each -> {
            if (!each.isIdle() || !each.isAtRest()) {
                return false;
            }
            order.remove(each);
            each.close();
            all.ended();
            return true;
        });
    }

    // ---- order

    /** Comes before work is given to the stream. */
    void before(SessionStream stream) {
        order.before(stream);
    }

    /** Comes before a command is counted in it: it is to be retired some time. */
    void willNeedMark(SessionStream stream) {
        if (stream.isMarked()) {
            unmarked.add(stream);
        }
    }

    /** Called when the ring is empty: what was issued is to be retired. */
    void markAll() {
        SessionStream stream;
        while ((stream = unmarked.poll()) != null) {
            stream.mark();
        }
    }

    // ---- ends

    boolean isIdle(SessionStream stream) {
        boolean idle = stream.id() == 0 ? order.isLegacyIdle() : stream.isIdle();
        if (!idle) {
            stream.mark();
        }
        return idle;
    }

    /** Runs the action when the stream's work has ended; the legacy stream waits for others too. */
    void whenEnded(SessionStream stream, Runnable action) {
        if (stream.id() == 0 && device.fault().isEmpty()) {
            try {
                order.before(stream);
                // The stream may now wait for others although nothing was issued to it.
                if (!order.isLegacyIdle()) {
                    stream.mark();
                    stream.device().whenEnded(action);
                    return;
                }
            } catch (DeviceException e) {
                if (device.fault().isEmpty()) {
                    throw e;
                }
            }
        }
        stream.whenEnded(action);
    }

    /** Streams whose work has not ended. */
    private List<SessionStream> busy() {
        List<SessionStream> busy = new ArrayList<>();
        for (SessionStream each : all.values()) {
            if (!each.isIdle()) {
                busy.add(each);
            }
        }
        for (SessionStream each : destroyed) {
            if (!each.isIdle()) {
                busy.add(each);
            }
        }
        return busy;
    }

    boolean areIdle() {
        return busy().isEmpty();
    }

    /** Runs the action when all that was submitted so far has ended. */
    void whenAllEnded(Runnable action) {
        List<SessionStream> busy = busy();
        if (busy.isEmpty()) {
            action.run();
            return;
        }
        AtomicInteger left = new AtomicInteger(busy.size());
        for (SessionStream each : busy) {
            each.whenEnded(() -> {
                if (left.decrementAndGet() == 0) {
                    action.run();
                }
            });
        }
    }

    // ---- errors

    /** Remembers an error of a command that has no stream; the next wait reports it. */
    void latch(int result) {
        if (latched == Result.SUCCESS) {
            latched = result;
        }
    }

    /** An error that a wait for the stream reports. */
    int takeLatched(SessionStream stream) {
        int own = stream.takeLatched();
        if (own != Result.SUCCESS) {
            return own;
        }
        int result = latched;
        latched = Result.SUCCESS;
        return result;
    }

    /** An error that a wait for everything reports. */
    int takeLatched() {
        int result = latched;
        latched = Result.SUCCESS;
        for (SessionStream each : all.values()) {
            int latched = each.takeLatched();
            result = result == Result.SUCCESS ? latched : result;
        }
        return result;
    }

    /** An error of work that was held back, for a wait that began before it came. Any thread. */
    int takeLate() {
        int result = Result.SUCCESS;
        for (SessionStream each : all.values()) {
            int late = each.takeLate();
            result = result == Result.SUCCESS ? late : result;
        }
        return result;
    }

    /** The context ends. */
    void forgetAll() {
        all.endAll();
        destroyed.forEach(each -> all.ended());
        destroyed.clear();
    }
}
