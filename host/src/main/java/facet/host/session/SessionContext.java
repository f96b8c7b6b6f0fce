package facet.host.session;

import facet.abi.Result;
import facet.device.Context;
import facet.device.DeviceException;
import facet.device.DeviceProfile;
import facet.device.Event;
import facet.device.TextureDescription;
import facet.host.ledger.Ledger;
import facet.host.residency.ContextHolding;
import facet.host.residency.Reach;
import facet.host.residency.Residency;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** A context of a client: its memory, and what the client has made in it. */
final class SessionContext {
    private static final int MOST_STREAMS = 1 << 16;
    private static final int MOST_EVENTS = 1 << 20;
    private static final int MOST_MODULES = 1 << 14;
    private static final int MOST_TEXTURES = 1 << 16;
    private static final int TEXTURE_PLACES = 1 << 20;

    private final Session session;
    private final int id;
    private final Ledger ledger;
    private final Context device;
    private final DeviceProfile profile;
    private final LentMemory memory;
    private final ContextReport report;
    private final ContextFaults faults;
    private final Allocations allocations;
    private final ReturningPages returning;
    private final SessionStream legacy;
    private final Event spareEvent;
    private final StreamOrder order;
    private final Handles<SessionStream> streams;
    private final List<SessionStream> destroyed = new ArrayList<>();
    private final ArrayDeque<SessionStream> unmarked = new ArrayDeque<>();

    private final ContextHolding holding;
    private final Peers peers;
    private final Pause pause;
    private volatile long issued;
    private final AtomicInteger reading = new AtomicInteger();
    private volatile long takenByModules;

    private final Handles<SessionModule> modules;
    private final Handles<SessionEvent> events;
    private final Handles<Long> textures;
    private int latched = Result.SUCCESS;

    SessionContext(
            Session session,
            int id,
            Ledger ledger,
            Context device,
            DeviceProfile profile,
            LentMemory memory,
            ContextReport report,
            ContextFaults faults,
            Residency residency) {
        this.session = session;
        this.id = id;
        this.ledger = ledger;
        this.device = device;
        this.profile = profile;
        this.memory = memory;
        this.report = report;
        this.faults = faults;
        allocations = new Allocations();
        returning = new ReturningPages(memory, ledger, session.tally(), report);
        streams = new Handles<>("stream", MOST_STREAMS, session.tally());
        modules = new Handles<>("module", MOST_MODULES, session.tally());
        events = new Handles<>("event", MOST_EVENTS, session.tally());
        textures = new Handles<>("texture", MOST_TEXTURES, session.tally());
        legacy = new SessionStream(0, device.createStream(), true, report, session.inFlight());
        spareEvent = device.createEvent();
        streams.put(0, legacy);
        order = new StreamOrder(device, legacy);
        pause = new Pause(device);
        peers = new Peers(session, this);
        holding = memory.hold(residency, new ContextOccupant(session, this, report, pause));
    }

    int id() {
        return id;
    }

    Context device() {
        return device;
    }

    /** Of the device that it is on. */
    Ledger ledger() {
        return ledger;
    }

    /** 89 for 8.9. */
    int computeCapability() {
        return profile.computeMajor() * 10 + profile.computeMinor();
    }

    int sharedPerBlockOptin() {
        return profile.sharedPerBlockOptin();
    }

    Allocations allocations() {
        return allocations;
    }

    /** What was freed and is not with the system yet. */
    ReturningPages returning() {
        return returning;
    }

    ContextReport report() {
        return report;
    }

    /** The other contexts of its session. */
    Peers peers() {
        return peers;
    }

    // ---- memory

    /** Ends the session when the bytes are not all in this context. */
    void checkRange(long address, long bytes) {
        memory.checkRange(address, bytes);
    }

    /** The bytes at a device address; a client may change them at any time. */
    MemorySegment bytes(long address, long bytes) {
        return memory.bytes(address, bytes);
    }

    LentMemory memory() {
        return memory;
    }

    /** What touches these bytes, as residency knows it. */
    Reach reach(long address, long bytes) {
        return Reach.of(memory.offset(address), bytes);
    }

    Reach reach(long first, long firstBytes, long second, long secondBytes) {
        return Reach.of(memory.offset(first), firstBytes, memory.offset(second), secondBytes);
    }

    /** Where its memory is. */
    ContextHolding holding() {
        return holding;
    }

    /** An offset as {@link ContextHolding} knows it. */
    long offset(long address) {
        return memory.offset(address);
    }

    /** Whether work is under way. Any thread. */
    boolean isWorking() {
        return issued != report.retired() || reading.get() > 0;
    }

    // ---- streams

    SessionStream stream(int number) {
        return streams.get(number);
    }

    void createStream(int number, boolean blocking) {
        sweep();
        streams.checkFree(number);
        SessionStream stream = newStream(number, blocking);
        streams.put(number, stream);
        order.add(stream);
    }

    /** After a fault there are no new streams, and no work either: the legacy one serves. */
    private SessionStream newStream(int number, boolean blocking) {
        try {
            return new SessionStream(
                    number, device.createStream(), blocking, report, session.inFlight());
        } catch (DeviceException e) {
            if (device.fault().isEmpty()) {
                throw e;
            }
            return SessionStream.borrowed(
                    number, legacy.device(), blocking, report, session.inFlight());
        }
    }

    /** The stream's work goes on; only its number is free again. */
    void destroyStream(int number) {
        if (number == 0) {
            throw new ProtocolViolation("the legacy stream cannot be destroyed");
        }
        destroyed.add(streams.remove(number));
        if (destroyed.size() > MOST_STREAMS) {
            throw new ProtocolViolation(
                    "more than " + MOST_STREAMS + " streams that are destroyed and not done");
        }
        sweep();
    }

    private void sweep() {
        destroyed.removeIf(each -> {
            if (!each.isIdle() || !each.device().isIdle()) {
                return false;
            }
            order.remove(each);
            if (!each.isBorrowed()) {
                each.device().close();
            }
            streams.ended();
            return true;
        });
    }

    /**
     * Gives work that touches no memory to a stream. What the device refuses is reported by the
     * next wait on it.
     */
    void submit(SessionStream stream, Runnable work) {
        give(stream, InFlight.unitsOf(0), work);
    }

    /** Gives work to a stream, when what it touches is on the device. */
    void submit(SessionStream stream, Reach reach, Runnable work) {
        submit(stream, reach, InFlight.unitsOf(0), work);
    }

    /**
     * @param units what it counts in {@link InFlight}
     */
    void submit(SessionStream stream, Reach reach, int units, Runnable work) {
        if (!holding.enter(reach)) {
            stream.latch(Result.ERROR_OUT_OF_MEMORY);
            give(stream, units, () -> {});
            return;
        }
        try {
            give(stream, units, work);
        } finally {
            holding.leave();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void give(SessionStream stream, int units, Runnable work) {
        try {
            order.before(stream);
            work.run();
        } catch (DeviceException e) {
            if (device.fault().isEmpty()) {
                stream.latch(e.error().code());
                session.log("context " + id + ": " + e.getMessage());
            }
        } catch (ProtocolViolation e) {
            throw e;
        } catch (RuntimeException e) {
            // A defect of ours. It costs this work, not the session.
            stream.latch(Result.ERROR_UNKNOWN);
            session.defect("context " + id, e);
        }
        if (stream.isMarked()) {
            unmarked.add(stream);
        }
        issued = issued + 1;
        stream.issue(units);
    }

    /**
     * Gives work to a stream for which a client waits; it is not counted, so it does not retire.
     *
     * @param ended is told the result when the work has ended; any thread
     */
    void read(SessionStream stream, Reach reach, Runnable work, IntConsumer ended) {
        if (!holding.enter(reach)) {
            ended.accept(Result.ERROR_OUT_OF_MEMORY);
            return;
        }
        reading.incrementAndGet();
        try {
            order.before(stream);
            work.run();
            // Who waits for it is to find retired what was before it.
            stream.mark();
            stream.device()
                    .whenEnded(() -> {
                        reading.decrementAndGet();
                        ended.accept(Result.SUCCESS);
                    });
        } catch (DeviceException e) {
            reading.decrementAndGet();
            ended.accept(e.error().code());
        } finally {
            holding.leave();
        }
    }

    /** Called when the ring is empty: what was issued is to be retired. */
    void markAll() {
        SessionStream stream;
        while ((stream = unmarked.poll()) != null) {
            stream.mark();
        }
    }

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
        for (SessionStream each : streams.values()) {
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

    boolean isIdle() {
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

    // ---- events and modules

    SessionEvent event(int number) {
        return events.get(number);
    }

    void createEvent(int number, boolean timing) {
        events.checkFree(number);
        events.put(number, new SessionEvent(newEvent(), timing));
    }

    private Event newEvent() {
        try {
            return device.createEvent();
        } catch (DeviceException e) {
            if (device.fault().isEmpty()) {
                throw e;
            }
            return spareEvent;
        }
    }

    void destroyEvent(int number) {
        events.remove(number);
        events.ended();
    }

    /** Its number is its place: the device has one texture in each. */
    void createTexture(long handle, TextureDescription description) {
        int place = (int) handle & TEXTURE_PLACES - 1;
        textures.checkFree(place);
        if (device.fault().isEmpty()) {
            device.createTexture(handle, description);
        }
        textures.put(place, handle);
    }

    void destroyTexture(long handle) {
        int place = (int) handle & TEXTURE_PLACES - 1;
        if (textures.get(place) != handle) {
            throw new ProtocolViolation("there is no texture 0x" + Long.toHexString(handle));
        }
        textures.remove(place);
        textures.ended();
        if (device.fault().isEmpty()) {
            device.destroyTexture(handle);
        }
    }

    SessionModule module(int number) {
        return modules.get(number);
    }

    void checkFree(int module) {
        modules.checkFree(module);
    }

    void put(int number, SessionModule module) {
        modules.put(number, module);
    }

    /** It counts until {@link #moduleEnded}. */
    SessionModule removeModule(int number) {
        return modules.remove(number);
    }

    /** Any thread. */
    void moduleEnded() {
        modules.ended();
    }

    /** Bytes of device memory that the host has taken for it: module variables, the heap. */
    long takenByHost() {
        return takenByModules + memory.heap();
    }

    /** Variables of a module were given memory, or have given it back. Any thread. */
    void modulesTook(long bytes) {
        synchronized (this) {
            takenByModules += bytes;
        }
        if (bytes > 0) {
            holding.takeOwn(bytes);
        } else if (bytes < 0) {
            holding.giveOwn(-bytes);
        }
    }

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
        for (SessionStream each : streams.values()) {
            int latched = each.takeLatched();
            result = result == Result.SUCCESS ? latched : result;
        }
        return result;
    }

    // ---- life

    /**
     * The fault that ended the context, written where the client sees it, or SUCCESS. Any thread.
     */
    int fault() {
        return device.fault()
                .map(e -> {
                    report.fault(e.error().code());
                    return e.error().code();
                })
                .orElse(Result.SUCCESS);
    }

    boolean isClosing() {
        return faults.isClosing();
    }

    /** Holds back its work because its slice has had its share, or lets it go on. */
    void pause(boolean wanted) {
        pause.forShare(wanted);
    }

    /** Stops what runs. Any thread. */
    void stop() {
        faults.closing();
        device.stop();
    }

    /** Stops what runs, and waits until it has ended. Any thread. */
    void halt() {
        stop();
        session.hostFunctions().abandon(this);
        holding.end();
        device.close();
    }

    /** The same, and its memory goes back to the system. */
    void close() {
        halt();
        memory.close();
        returning.close();
    }

    /**
     * What the client has made here is gone with it. When nobody else uses the context any more.
     */
    void forgetAll() {
        streams.endAll();
        destroyed.forEach(each -> streams.ended());
        destroyed.clear();
        events.endAll();
        textures.endAll();
        modules.values().forEach(each -> session.tally().giveText(each.texts()));
        modules.endAll();
        session.tally().removeObjects(allocations.size());
    }
}
