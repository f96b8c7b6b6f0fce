package facet.host.session;

import facet.device.Window;
import facet.host.ledger.Ledger;
import facet.host.share.Holder;
import facet.host.share.Segment;
import facet.host.share.Shares;
import facet.os.Uninterrupted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The segments that a session has: by the numbers that its client chose, and by the addresses where
 * they are mapped. By the session's thread, unless it says otherwise.
 */
final class SessionSegments implements Holder {
    /** Numbers and mappings that a session has at most. */
    private static final int MOST = 1 << 17;

    private final Session session;
    private final Shares shares;
    private final Map<Integer, Segment> handles = new HashMap<>();
    private final Mappings mappings = new Mappings();
    private final MappedViews views;

    /** Windows of each device, as long as nothing changes. */
    private final Map<Integer, Windows> known = new HashMap<>();

    private long knownVersion;
    private boolean used;

    /** What is done elsewhere for the session. With this object's monitor. */
    private int under;

    private boolean closed;

    /** What kernels of a device may read, and what they may write. */
    record Windows(List<Window> readable, List<Window> writable) {}

    SessionSegments(Session session) {
        this.session = session;
        shares = session.residency().shares();
        views = new MappedViews(shares, session::log);
    }

    Shares shares() {
        return shares;
    }

    @Override
    public Ledger ledger(int device) {
        return session.ledger(device);
    }

    @Override
    public int slot() {
        return session.options().ledgerSlot();
    }

    // ---- numbers

    /** Ends the session unless the number is free. */
    synchronized void checkFree(int number) {
        if (handles.containsKey(number)) {
            throw new ProtocolViolation(
                    "segment " + Integer.toUnsignedString(number) + " is made twice");
        }
    }

    /** Whether the session, and its slice, may have one more number or mapping. */
    synchronized boolean hasRoom() {
        return handles.size() + mappings.size() < MOST
                && session.tally().objects() < session.tally().mostObjects();
    }

    /** Any thread. A segment that comes too late is closed at once. */
    void put(int number, Segment segment) {
        synchronized (this) {
            if (!closed && handles.putIfAbsent(number, segment) == null) {
                session.tally().addObject();
                return;
            }
        }
        segment.drop(this);
    }

    synchronized @Nullable Segment get(int number) {
        return handles.get(number);
    }

    synchronized @Nullable Segment remove(int number) {
        Segment found = handles.remove(number);
        if (found != null) {
            session.tally().removeObjects(1);
        }
        return found;
    }

    // ---- mappings

    /** Whether anything was ever mapped. */
    boolean isUsed() {
        return used;
    }

    Mappings mappings() {
        return mappings;
    }

    boolean covers(long address, long bytes) {
        return mappings.covers(address, bytes);
    }

    /**
     * Where the device maps memory it would be a fault, and so the end of all contexts, to do what
     * nobody has allowed: it is not even tried. Windows say themselves what may be done.
     */
    void checkRight(int device, long address, long bytes, boolean writes) {
        for (Mapping each : mappings.touched(address, bytes)) {
            if (each.place() != null && !each.permits(device, writes)) {
                throw new CheckedWork.Refused(
                        "what is mapped at 0x"
                                + Long.toHexString(each.address())
                                + " may not be "
                                + (writes ? "written" : "read")
                                + " by this device");
            }
        }
    }

    void map(Mapping mapping) {
        session.tally().addObject();
        used = true;
        mappings.add(mapping);
    }

    /** Changes with everything that kernels may reach. */
    long version() {
        return mappings.version();
    }

    /** For contexts of a device. */
    Windows windows(int device) {
        if (knownVersion != mappings.version()) {
            knownVersion = mappings.version();
            known.clear();
            if (!views.isEmpty()) {
                whenAllEnded(views.retire());
            }
        }
        return known.computeIfAbsent(
                device,
                each ->
                        new Windows(
                                views.windows(
                                        mappings.values(),
                                        one -> one.place() == null && one.permits(each, false)),
                                views.windows(
                                        mappings.values(),
                                        one -> one.place() == null && one.permits(each, true))));
    }

    /**
     * Removes mappings. Their memory is given up when nothing that was given to the session's
     * contexts so far can use it any more.
     *
     * @param told afterwards, on a thread of its own
     */
    void unmap(List<Mapping> some, Runnable told) {
        mappings.remove(some);
        session.tally().removeObjects(some.size());
        whenAllEnded(() -> {
            some.forEach(each -> each.end(this));
            told.run();
        });
    }

    // ---- later

    /** Does something when all that contexts of the session have to do so far has ended. */
    private void whenAllEnded(Runnable action) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (SessionContext each : session.contextsInMemory()) {
            all.add(each.peers().restSoFar());
        }
        begin();
        CompletableFuture<Void> _ =
                CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                        .thenRun(() -> onOwnThread(action));
    }

    /** Something that may wait, on a thread of its own. Any thread. */
    void elsewhere(Runnable action) {
        begin();
        onOwnThread(action);
    }

    /** The end of the session waits until {@link #onOwnThread} has done something. Any thread. */
    synchronized void begin() {
        under++;
    }

    void onOwnThread(Runnable action) {
        Thread.ofVirtual()
                .name("facet-session-" + session.options().id() + "-segments")
                .start(() -> {
                    try {
                        action.run();
                    } catch (RuntimeException e) {
                        session.defect("segments", e);
                    } finally {
                        end();
                    }
                });
    }

    private synchronized void end() {
        under--;
        notifyAll();
    }

    /** The contexts have ended: nothing is mapped and nothing open any more. */
    void close() {
        List<Segment> left = new ArrayList<>();
        synchronized (this) {
            closed = true;
            Uninterrupted.waitWhile(this, () -> under > 0);
            session.tally().removeObjects(handles.size() + mappings.size());
            left.addAll(handles.values());
            handles.clear();
        }
        views.retire().run();
        mappings.values().forEach(each -> each.end(this));
        left.forEach(each -> each.drop(this));
    }
}
