package facet.host.session;

import facet.abi.Result;
import facet.device.Context;
import facet.device.DeviceProfile;
import facet.host.ledger.Ledger;
import facet.host.residency.ContextHolding;
import facet.host.residency.Reach;
import facet.host.residency.Residency;
import facet.host.share.Segment;
import java.lang.foreign.MemorySegment;

/**
 * A context of a client: its memory, what the client has made in it ({@link ContextStreams}, {@link
 * ContextEvents}, {@link ContextModules}), what it has to do ({@link ContextWork}), and its end.
 */
final class SessionContext {
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
    private final ContextHolding holding;
    private final ContextStreams streams;
    private final ContextEvents events;
    private final ContextModules modules;
    private final ContextGraphs graphs;
    private final ContextTextures textures;
    private final ContextWork work;
    private final Peers peers;
    private final Pause pause;

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
        streams = new ContextStreams(session, device, report);
        events = new ContextEvents(device, session.tally(), session.residency().shares());
        modules = new ContextModules(session.tally());
        graphs = new ContextGraphs(session.tally());
        textures = new ContextTextures(device, session.tally());
        pause = new Pause(device);
        peers = new Peers(session, this);
        holding = memory.hold(residency, new ContextOccupant(session, this, report, pause));
        work = new ContextWork(session, this, holding, streams, report);
        faults.whenFaulty(work::cancelAll);
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

    ContextReport report() {
        return report;
    }

    ContextStreams streams() {
        return streams;
    }

    ContextEvents events() {
        return events;
    }

    ContextModules modules() {
        return modules;
    }

    /** Lists of commands that the client launches as one. */
    ContextGraphs graphs() {
        return graphs;
    }

    ContextTextures textures() {
        return textures;
    }

    ContextWork work() {
        return work;
    }

    /** The other contexts of its session. */
    Peers peers() {
        return peers;
    }

    // ---- memory

    Allocations allocations() {
        return allocations;
    }

    /** What was freed and is not with the system yet. */
    ReturningPages returning() {
        return returning;
    }

    /** Ends the session when the bytes are not all in this context's own memory. */
    void checkRange(long address, long bytes) {
        memory.checkRange(address, bytes);
    }

    /** The same for what a copy reads. */
    void checkRead(long address, long bytes) {
        checkReach(address, bytes, false);
    }

    /**
     * What a copy or fill writes, and nothing else: memory of this context, or what the session has
     * mapped elsewhere. Ends the session when it can be neither.
     */
    void checkWrite(long address, long bytes) {
        checkReach(address, bytes, true);
    }

    private void checkReach(long address, long bytes, boolean writes) {
        if (!memory.contains(address, bytes) && modules.covers(address, bytes)) {
            return; // a vendor's driver has placed it
        }
        if (memory.contains(address, bytes) || !session.segments().isUsed()) {
            memory.checkRange(address, bytes);
        } else if (session.segments().covers(address, bytes)) {
            session.segments().checkRight(ledger.device(), address, bytes, writes);
            peers.prepare();
        } else {
            // Another thread of the program may have been quicker to unmap it.
            throw new CheckedWork.Refused(
                    bytes + " bytes at 0x" + Long.toHexString(address) + " are not mapped");
        }
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
        return reach(address, bytes, address, 0);
    }

    Reach reach(long first, long firstBytes, long second, long secondBytes) {
        return Reach.of(
                memory.offset(first),
                own(first, firstBytes),
                memory.offset(second),
                own(second, secondBytes));
    }

    /** What is mapped elsewhere never moves. */
    private long own(long address, long bytes) {
        return memory.contains(address, bytes) ? bytes : 0;
    }

    /** Where its memory is. */
    ContextHolding holding() {
        return holding;
    }

    /** An offset as {@link ContextHolding} knows it. */
    long offset(long address) {
        return memory.offset(address);
    }

    /** Bytes of device memory that the host has taken for it: module variables, the heap. */
    long takenByHost() {
        return modules.taken() + memory.heap();
    }

    /** Variables of a module were given memory, or have given it back. Any thread. */
    void modulesTook(long bytes) {
        modules.took(bytes);
        if (bytes > 0) {
            holding.takeOwn(bytes);
        } else if (bytes < 0) {
            holding.giveOwn(-bytes);
        }
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

    /** Whether it, or its session, is about to end. Any thread. */
    boolean isEnding() {
        return isClosing() || session.channel().isEnding();
    }

    /** Holds back its work because its slice has had its share, or lets it go on. */
    void pause(boolean wanted) {
        pause.forShare(wanted);
    }

    /** Stops what runs, and what is held back. Any thread. */
    void stop() {
        faults.closing();
        device.stop();
        work.cancelAll();
    }

    /** Stops what runs, and waits until it has ended. Any thread. */
    void halt() {
        stop();
        session.hostFunctions().abandon(this);
        holding.end();
        device.close();
    }

    /** What other sessions have open of its memory is theirs from now on. It is closing. */
    void handOver() {
        for (Segment each : allocations.opened()) {
            if (!each.orphan()) {
                each.storage().drop();
            }
        }
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
        streams.forgetAll();
        events.forgetAll();
        modules.forgetAll();
        graphs.endAll();
        textures.forgetAll();
        session.tally().removeObjects(allocations.size());
        allocations.forgetAll();
    }
}
