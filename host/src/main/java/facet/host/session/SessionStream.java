package facet.host.session;

import facet.abi.Result;
import facet.device.Context;
import facet.device.Stream;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a client. Commands are counted as they are given to the device, and retired in
 * batches: a mark behind some of them tells when all of those have ended.
 */
final class SessionStream {
    /** Commands behind which a mark is put even when more are waiting in the ring. */
    private static final int BATCH = 32;

    private final int id;
    private final Context context;
    private final Stream device;
    private final boolean blocking;
    private final ContextReport report;
    private final InFlight inFlight;
    private final boolean borrowed;
    private volatile @Nullable Stream side;
    private @Nullable HeldWork lastHeld;
    private long issued;
    private final AtomicInteger reads = new AtomicInteger();
    private int unmarked;
    private int unmarkedUnits;
    private final StreamProgress progress = new StreamProgress();

    private int latched = Result.SUCCESS;
    private final AtomicInteger late = new AtomicInteger(Result.SUCCESS);

    /** Counts changes, for {@link StreamOrder}. */
    long version;

    long seenLegacy;
    long seenByLegacy;

    SessionStream(
            int id, Context context, boolean blocking, ContextReport report, InFlight inFlight) {
        this(id, context, context.createStream(), blocking, false, report, inFlight);
    }

    private SessionStream(
            int id,
            Context context,
            Stream device,
            boolean blocking,
            boolean borrowed,
            ContextReport report,
            InFlight inFlight) {
        this.id = id;
        this.context = context;
        this.device = device;
        this.blocking = blocking;
        this.borrowed = borrowed;
        this.report = report;
        this.inFlight = inFlight;
    }

    /** One whose device stream is another's. */
    static SessionStream borrowed(
            int id,
            SessionStream other,
            boolean blocking,
            ContextReport report,
            InFlight inFlight) {
        return new SessionStream(id, other.context, other.device, blocking, true, report, inFlight);
    }

    int id() {
        return id;
    }

    Stream device() {
        return device;
    }

    /**
     * Where work runs that was held back, while the stream stands still at its place. One thread at
     * a time, whichever.
     */
    Stream side() {
        Stream made = side;
        if (made == null) {
            made = context.createStream();
            side = made;
        }
        return made;
    }

    /** Runs the action when what was given to the side stream has ended. */
    void whenSideEnded(Runnable action) {
        Stream made = side;
        if (made == null) {
            action.run();
        } else {
            made.whenEnded(action);
        }
    }

    /** What was held back last; null when nothing is. */
    @Nullable HeldWork lastHeld() {
        return lastHeld;
    }

    void lastHeld(@Nullable HeldWork work) {
        lastHeld = work;
    }

    /** Whether the device has nothing to do for it. */
    boolean isAtRest() {
        Stream made = side;
        return device.isIdle() && (made == null || made.isIdle());
    }

    /** When it is at rest. */
    void close() {
        Stream made = side;
        if (made != null) {
            made.close();
        }
        if (!borrowed) {
            device.close();
        }
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

    /** Of what was issued, what is retired. */
    StreamProgress progress() {
        return progress;
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
    private void retire(Batch batch) {
        progress.retire(batch.count);
        report.retire(batch.count);
        inFlight.retire(batch.units);
        progress.tell();
    }

    /** The device is given something that is answered and not retired: it counts all the same. */
    void beginRead() {
        reads.incrementAndGet();
    }

    /** It has ended. Any thread. */
    void endRead() {
        reads.decrementAndGet();
    }

    /** Whether all that was issued has ended, and is retired; so have reads. */
    boolean isIdle() {
        if (issued == progress.retired() && reads.get() == 0) {
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

    /** The same for work that was held back. Any thread. */
    void latchLate(int result) {
        late.compareAndSet(Result.SUCCESS, result);
    }

    int takeLatched() {
        int result = latched;
        latched = Result.SUCCESS;
        return result == Result.SUCCESS ? takeLate() : result;
    }

    /** An error that came since {@link #takeLatched}, of work that was held back. Any thread. */
    int takeLate() {
        return late.getAndSet(Result.SUCCESS);
    }
}
