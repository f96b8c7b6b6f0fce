package facet.host.share;

import facet.device.Device;
import facet.device.DeviceException;
import facet.host.residency.Residency;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the sessions of a slice share, by its names. */
public final class Shares {
    /** Sizes of segments are multiples of it, as CUDA has it. */
    public static final long GRANULE = 2L << 20;

    /** Of pieces that are mapped side by side: what lies before and behind them. */
    private static final int GUARDS = 2;

    private final Map<Token, Segment> segments = new HashMap<>();
    private final Map<Token, Object> events = new HashMap<>();
    private final Map<Integer, SegmentPool> pools = new HashMap<>();
    private final Maps maps;
    private long mapped;

    public Shares() {
        this(Maps.ofProcess());
    }

    Shares(Maps maps) {
        this.maps = maps;
    }

    /**
     * New memory, zeroed. Whoever makes it has paid for it.
     *
     * @param index of the device in the slice
     * @param slice for people
     * @throws DeviceException where there are no addresses for so much
     */
    public Segment create(
            Device device, int index, Residency residency, String slice, long bytes, Holder maker) {
        synchronized (this) {
            SegmentPool pool =
                    pools.computeIfAbsent(
                            index, each -> new SegmentPool(this, device, residency, slice));
            Storage storage = pool.take(bytes);
            return put(index, bytes, storage, maker, false);
        }
    }

    /** An allocation of a context. */
    public synchronized Segment ofAllocation(int index, long bytes, Storage storage, Holder maker) {
        return put(index, bytes, storage, maker, true);
    }

    private Segment put(int index, long bytes, Storage storage, Holder maker, boolean allocation) {
        Token token = Token.next();
        Segment made = new Segment(this, token, index, bytes, storage, maker, allocation);
        segments.put(token, made);
        return made;
    }

    /** Opens what a name stands for, when there is such memory. */
    public synchronized Optional<Segment> open(Token token, Holder holder) {
        Segment found = segments.get(token);
        return found != null && found.hold(holder) ? Optional.of(found) : Optional.empty();
    }

    void forget(Segment segment) {
        segments.remove(segment.token());
    }

    // ---- pieces that are mapped once more

    /** Before so many are mapped side by side. False when the slice has had its part. */
    public synchronized boolean takePieces(int count) {
        long entries = (long) count + GUARDS;
        if (!maps.take(mapped, entries)) {
            return false;
        }
        mapped += entries;
        return true;
    }

    public synchronized void givePieces(int count) {
        long entries = (long) count + GUARDS;
        mapped -= entries;
        maps.give(entries);
    }

    // ---- events

    /** Gives an event a name. It has it until {@link #forgetEvent}. */
    public synchronized Token name(Object event) {
        Token token = Token.next();
        events.put(token, event);
        return token;
    }

    /** The event of a name; of what kind it is the caller knows. */
    public synchronized @Nullable Object event(Token token) {
        return events.get(token);
    }

    public synchronized void forgetEvent(Token token) {
        events.remove(token);
    }
}
