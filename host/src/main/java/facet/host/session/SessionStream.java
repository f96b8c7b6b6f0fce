package facet.host.session;

import facet.abi.Result;
import facet.device.Stream;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream of a client. Commands are counted as they are given to the device, and retired in
 * batches: a mark behind some of them tells when all of those have ended.
 */
final class SessionStream {
    /** Commands behind which a mark is put even when more are waiting in the ring. */
    private static final int BATCH = 32;

    private final int id;
    private final Stream device;
    private final boolean blocking;
    private final ContextReport report;
    private final InFlight inFlight;
    private boolean borrowed;
    private long issued;
    private int unmarked;
    private int unmarkedUnits;
    private volatile long retired;

    /** Who waits until so many are retired; their monitor guards them. */
    private final List<Waiter> waiters = new ArrayList<>();

    private int latched = Result.SUCCESS;

    /** Counts changes, for {@link StreamOrder}. */
    long version;

    long seenLegacy;
    long seenByLegacy;

    SessionStream(
            int id, Stream device, boolean blocking, ContextReport report, InFlight inFlight) {
        this.id = id;
        this.device = device;
        this.blocking = blocking;
        this.report = report;
        this.inFlight = inFlight;
    }

    /** One whose device stream is another's. */
    static SessionStream borrowed(
            int id, Stream device, boolean blocking, ContextReport report, InFlight inFlight) {
        SessionStream stream = new SessionStream(id, device, blocking, report, inFlight);
        stream.borrowed = true;
        return stream;
    }

    boolean isBorrowed() {
        return borrowed;
    }

    int id() {
        return id;
    }

    Stream device() {
        return device;
    }

    /** Whether it waits for the legacy stream, and that one for it. */
    boolean isBlocking() {
        return blocking;
    }

    /**
     * A command was given to the device, or refused by it.
     *
     * @param units what it counts in {@link InFlight}
     */
    void issue(int units) {
        inFlight.issue(units);
        unmarkedUnits += units;
        issued++;
        if (++unmarked == BATCH) {
            mark();
        }
    }

    long issued() {
        return issued;
    }

    private record Waiter(long count, Runnable action) {}

    boolean hasRetired(long count) {
        return retired >= count;
    }

    /** Runs the action when so many are retired: at once, or on a thread of the device. */
    void whenRetired(long count, Runnable action) {
        synchronized (waiters) {
            if (!hasRetired(count)) {
                waiters.add(new Waiter(count, action));
                return;
            }
        }
        action.run();
    }

    boolean isMarked() {
        return unmarked == 0;
    }

    /** Sees to it that what was issued so far will be retired. */
    void mark() {
        if (unmarked > 0) {
            Batch batch = take();
            device.whenEnded(() -> retire(batch));
        }
    }

    /** Commands that are retired together. */
    private record Batch(int count, int units) {}

    private Batch take() {
        Batch batch = new Batch(unmarked, unmarkedUnits);
        unmarked = 0;
        unmarkedUnits = 0;
        return batch;
    }

    /**
     * Marks of a stream run one after the other, as its work does: there is one writer at a time.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void retire(Batch batch) {
        retired += batch.count;
        report.retire(batch.count);
        inFlight.retire(batch.units);
        tellWaiters();
    }

    private void tellWaiters() {
        List<Waiter> due;
        synchronized (waiters) {
            if (waiters.isEmpty()) {
                return;
            }
            due = waiters.stream().filter(each -> hasRetired(each.count)).toList();
            waiters.removeAll(due);
        }
        due.forEach(each -> each.action.run());
    }

    /** Whether all that was issued has ended, and is retired. */
    boolean isIdle() {
        if (issued == retired) {
            return true;
        }
        if (device.isIdle()) {
            // All marks have run too: they are work of the stream.
            retire(take());
            return true;
        }
        return false;
    }

    /**
     * Runs the action when all that was issued has ended: at once, or on a thread of the device.
     */
    void whenEnded(Runnable action) {
        if (isIdle()) {
            action.run();
            return;
        }
        Batch batch = take();
        device.whenEnded(() -> {
            retire(batch);
            action.run();
        });
    }

    /** Remembers an error that the next wait reports. */
    void latch(int result) {
        if (latched == Result.SUCCESS) {
            latched = result;
        }
    }

    int takeLatched() {
        int result = latched;
        latched = Result.SUCCESS;
        return result;
    }
}
