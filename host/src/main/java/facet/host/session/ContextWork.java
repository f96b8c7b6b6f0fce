package facet.host.session;

import facet.abi.Result;
import facet.device.Context;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.host.ledger.UnsupportedCounts;
import facet.host.residency.ContextHolding;
import facet.host.residency.Reach;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives work to the streams of a context. What is missing nothing goes to the device at once;
 * everything else is held back at its place in the stream ({@link HeldWork}), and the other streams
 * go on.
 */
final class ContextWork {
    private final Session session;
    private final SessionContext context;
    private final Context device;
    private final ContextHolding holding;
    private final ContextStreams streams;
    private final ContextReport report;

    /** Commands that were counted; one thread writes. */
    private volatile long issued;

    /** Of those, the ones that are held back, or are behind one that is. */
    private final AtomicLong stuck = new AtomicLong();

    private final AtomicInteger reading = new AtomicInteger();
    private final Set<HeldWork> held = ConcurrentHashMap.newKeySet();

    ContextWork(
            Session session,
            SessionContext context,
            ContextHolding holding,
            ContextStreams streams,
            ContextReport report) {
        this.session = session;
        this.context = context;
        this.device = context.device();
        this.holding = holding;
        this.streams = streams;
        this.report = report;
    }

    /** Whether work is under way on the device. Any thread. */
    boolean isUnderWay() {
        return issued - stuck.get() != report.retired() || reading.get() > 0;
    }

    /** Whether there is any, under way or held back. Any thread. */
    boolean isAny() {
        return issued != report.retired() || reading.get() > 0 || !held.isEmpty();
    }

    /**
     * Gives work that touches no memory to a stream. What the device refuses is reported by the
     * next wait on it.
     */
    void submit(SessionStream stream, Work work) {
        give(stream, Reach.NOTHING, InFlight.unitsOf(0), work);
    }

    /** Gives work to a stream, when what it touches is on the device. */
    void submit(SessionStream stream, Reach reach, Work work) {
        submit(stream, reach, InFlight.unitsOf(0), work);
    }

    /**
     * @param units what it counts in {@link InFlight}
     */
    void submit(SessionStream stream, Reach reach, int units, Work work) {
        if (!holding.enter(reach)) {
            hold(stream, reach, units, work, List.of(), null);
            return;
        }
        try {
            give(stream, reach, units, work);
        } finally {
            holding.leave();
        }
    }

    /** Gives work to a stream that touches memory of another context, too. */
    void submitBeside(SessionContext other, SessionStream stream, Reach reach, Work work) {
        // Whoever is told to come again is held back already, and asks for itself.
        if (other.holding().stay(_ -> {})) {
            submit(stream, reach, work);
        } else {
            hold(stream, reach, InFlight.unitsOf(0), work, List.of(other), null);
        }
    }

    /** Nothing is to be done, but an error reported. */
    void refuse(SessionStream stream, int error) {
        stream.latch(error);
        submit(stream, _ -> {});
    }

    /** A command that the client counts was not even given to a stream. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void ignored() {
        issued = issued + 1;
        report.retire(1);
    }

    private void give(SessionStream stream, Reach reach, int units, Work work) {
        try {
            streams.before(stream);
            work.on(stream.device());
        } catch (DeviceException e) {
            if (e.error() == DeviceError.OUT_OF_MEMORY
                    && context.memory().takeLacking() > 0
                    && work.isWhole()) {
                hold(stream, reach, units, work, List.of(), null);
                return;
            }
            if (device.fault().isEmpty()) {
                stream.latch(e.error().code());
                log(String.valueOf(e.getMessage()));
            }
        } catch (ProtocolViolation e) {
            throw e;
        } catch (RuntimeException e) {
            // A defect of ours. It costs this work, not the session.
            stream.latch(Result.ERROR_UNKNOWN);
            defect(e);
        }
        issue(stream, units);
        HeldWork before = stream.lastHeld();
        if (before != null && !before.follow(!reach.equals(Reach.NOTHING))) {
            stream.lastHeld(null);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void issue(SessionStream stream, int units) {
        streams.willNeedMark(stream);
        issued = issued + 1;
        stream.issue(units);
    }

    // ---- what is held back

    /** Has a kernel made. */
    interface Making {
        /**
         * @param told hears why it could not be made, or null; any thread
         */
        void begin(Consumer<@Nullable Throwable> told);
    }

    /**
     * Holds work back until all is there that it needs.
     *
     * @param others contexts whose memory it needs too
     * @param making has its kernel made; null when that is there
     */
    void hold(
            SessionStream stream,
            Reach reach,
            int units,
            Work work,
            List<SessionContext> others,
            @Nullable Making making) {
        if (device.fault().isPresent()) {
            issue(stream, units);
            return;
        }
        HeldWork later =
                new HeldWork(
                        this,
                        context,
                        stream,
                        reach,
                        work.settled(device),
                        others,
                        true,
                        making == null);
        begin(stream, later);
        stream.device().whenEnded(later::cancel);
        issue(stream, units);
        stuck(1);
        if (making != null) {
            making.begin(later::made);
        }
    }

    private void begin(SessionStream stream, HeldWork later) {
        held.add(later);
        stream.lastHeld(later);
        try {
            streams.before(stream);
        } catch (DeviceException e) {
            // A fault, and so the end of everything in the context.
            session.debug("context " + context.id() + ": " + e.getMessage());
        }
        stream.device().suspend(later::reached);
        if (device.fault().isPresent()) {
            // Nobody may have told it.
            later.cancel();
        }
    }

    /**
     * Gives work to a stream for which a client waits; it is not counted, so it does not retire.
     *
     * @param ended is told the result when the work has ended; any thread
     */
    void read(SessionStream stream, Reach reach, Work work, IntConsumer ended) {
        if (!holding.enter(reach)) {
            holdRead(stream, reach, work, ended);
            return;
        }
        reading.incrementAndGet();
        stream.beginRead();
        try {
            streams.before(stream);
            work.on(stream.device());
            // Who waits for it is to find retired what was before it.
            stream.mark();
            stream.device()
                    .whenEnded(() -> {
                        stream.endRead();
                        reading.decrementAndGet();
                        ended.accept(Result.SUCCESS);
                    });
        } catch (DeviceException e) {
            stream.endRead();
            reading.decrementAndGet();
            ended.accept(e.error().code());
        } finally {
            holding.leave();
        }
    }

    private void holdRead(SessionStream stream, Reach reach, Work work, IntConsumer ended) {
        HeldWork later = new HeldWork(this, context, stream, reach, work, List.of(), false, true);
        stream.beginRead();
        begin(stream, later);
        stream.mark();
        stream.device()
                .whenEnded(() -> {
                    later.cancel();
                    stream.endRead();
                    reading.decrementAndGet();
                    ended.accept(later.result());
                });
    }

    /** Nothing is waited for any more: the context has a fault, or is about to end. Any thread. */
    void cancelAll() {
        held.forEach(HeldWork::cancel);
    }

    // ---- for what is held back: any thread

    void stuck(int commands) {
        stuck.addAndGet(commands);
    }

    /**
     * It is not held back any more, nor what is behind it.
     *
     * @param behind how many commands that are
     */
    void notStuck(HeldWork work, int behind) {
        if (work.isCounted()) {
            stuck.addAndGet(-behind - 1);
        } else {
            reading.incrementAndGet();
            stuck.addAndGet(-behind);
        }
    }

    void isOver(HeldWork work) {
        held.remove(work);
    }

    /** Does the action when the slice may have so much room, or will not have it soon. */
    void awaitRoom(long bytes, Runnable action) {
        session.waiting()
                .run(
                        context,
                        () -> {
                            context.ledger().awaitRoom(session.options().ledgerSlot(), bytes);
                            action.run();
                        });
    }

    /** A kernel was refused: the client hears a number alone, and that later. */
    void refused(DeviceException why) {
        why.lacking()
                .filter(each -> session.lacks(UnsupportedCounts.Kind.INSTRUCTION, each))
                .ifPresent(each ->
                        session.channel().printError("facet: code refused: " + why.getMessage()));
    }

    void log(String text) {
        session.log("context " + context.id() + ": " + text);
    }

    void defect(Throwable thrown) {
        session.defect("context " + context.id(), thrown);
    }
}
