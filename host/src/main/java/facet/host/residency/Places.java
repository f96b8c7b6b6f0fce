package facet.host.residency;

import facet.host.residency.Place.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The book of a context: each allocation, and where it is. Guarded by the gate of its holding, but
 * for the two sums.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // with the gate; others only read
final class Places {
    private final TreeMap<Long, Place> all = new TreeMap<>();

    /** Freed while they were out, when their bytes may be those of what is there now. */
    private final List<Place> orphans = new ArrayList<>();

    private int absent;
    private long absentBytes;
    private long lastUse = System.nanoTime();
    private long lastUsedInPart = lastUse;
    private long lastOwn;
    private boolean stays;
    private volatile long resident;
    private volatile long out;
    private volatile long hosted;

    /** Bytes on the device. Any thread. */
    long resident() {
        return resident;
    }

    /** Bytes in host memory. Any thread. */
    long out() {
        return out + hosted;
    }

    /** Those of them that must be copied before they can be used. */
    long movedOut() {
        return out;
    }

    /** How many are not on the device. */
    int absent() {
        return absent;
    }

    /** Bytes that the device must have room for before all is there. */
    long absentBytes() {
        return absentBytes;
    }

    Collection<Place> values() {
        return all.values();
    }

    boolean has(Place place) {
        return all.get(place.offset) == place;
    }

    // ---- what is touched

    boolean isPresent(Reach reach) {
        return absent == 0
                || !reach.everything()
                        && isPresent(reach.first(), reach.firstBytes())
                        && isPresent(reach.second(), reach.secondBytes());
    }

    private boolean isPresent(long offset, long bytes) {
        if (!orphans.isEmpty()) {
            return bytes == 0;
        }
        for (Place each : overlapping(offset, bytes)) {
            if (each.state != State.RESIDENT && each.state != State.HOST) {
                return false;
            }
        }
        return true;
    }

    Iterable<Place> overlapping(long offset, long bytes) {
        if (bytes == 0) {
            return List.of();
        }
        Map.Entry<Long, Place> before = all.floorEntry(offset);
        boolean reachesIn =
                before != null && before.getValue().offset + before.getValue().bytes > offset;
        long from = reachesIn ? before.getKey() : offset;
        return all.subMap(from, true, offset + bytes, false).values();
    }

    void use(Reach reach) {
        long now = System.nanoTime();
        if (reach.everything()) {
            lastUse = now;
            return;
        }
        for (Place each : overlapping(reach.first(), reach.firstBytes())) {
            each.lastUse = now;
        }
        for (Place each : overlapping(reach.second(), reach.secondBytes())) {
            each.lastUse = now;
        }
        if (reach.firstBytes() > 0) {
            lastUsedInPart = now;
        }
    }

    /** When all of it was last used. */
    long lastUse() {
        return lastUse;
    }

    /** When any of it was. */
    long lastUseOfAny() {
        return lastUse - lastUsedInPart > 0 ? lastUse : lastUsedInPart;
    }

    // ---- what is taken and given

    /** It is not on the device yet. */
    Place add(long offset, long bytes, boolean movable) {
        Place place = new Place(offset, bytes, movable && !stays, System.nanoTime());
        all.put(offset, place);
        missing(1, bytes);
        return place;
    }

    /** The same for managed memory. */
    Place addManaged(long offset, long bytes) {
        Place place = Place.managed(offset, bytes, System.nanoTime());
        all.put(offset, place);
        missing(1, bytes);
        return place;
    }

    /** The same for what the host has taken for itself. */
    Place addOwn(long bytes) {
        return add(--lastOwn, bytes, false);
    }

    /** All pieces of an allocation; none when it is not known. */
    List<Place> remove(long offset) {
        Place first = all.get(offset);
        if (first == null || first.isManaged() && first.allocation != offset) {
            return List.of();
        }
        long end = first.isManaged() ? first.allocationEnd : first.end();
        Collection<Place> pieces = all.subMap(offset, true, end, false).values();
        List<Place> removed = List.copyOf(pieces);
        pieces.clear();
        return removed;
    }

    // ---- pieces of managed allocations

    /** Afterwards no piece lies on both sides of this place. */
    void cut(long at) {
        Map.Entry<Long, Place> before = all.lowerEntry(at);
        if (before != null && before.getValue().isManaged() && before.getValue().end() > at) {
            Place rest = before.getValue().cut(at);
            all.put(at, rest);
            if (rest.state == State.FRESH) {
                absent++;
            }
        }
    }

    /** Puts pieces together that are alike, from the one before to the one behind a range. */
    void join(long from, long end) {
        Long start = all.lowerKey(from);
        Place last = null;
        for (Place each :
                List.copyOf(all.subMap(start == null ? from : start, true, end, true).values())) {
            if (last != null && last.continuesIn(each)) {
                all.remove(each.offset);
                last.bytes += each.bytes;
                last.lastUse = last.lastUse - each.lastUse > 0 ? last.lastUse : each.lastUse;
                if (each.state == State.FRESH) {
                    absent--;
                }
            } else {
                last = each;
            }
        }
    }

    /** It is the host's from now on, where it lies. */
    void hosted(Place place) {
        place.state = State.HOST;
        resident -= place.bytes;
        hosted += place.bytes;
    }

    /** It counts as on the device from now on. */
    void unhosted(Place place) {
        place.state = State.RESIDENT;
        resident += place.bytes;
        hosted -= place.bytes;
    }

    /** One that is the host's is removed. */
    void forgetHosted(Place place) {
        hosted -= place.bytes;
    }

    /** One of the host's own that has so many bytes. */
    Optional<Place> removeOwn(long bytes) {
        Optional<Place> found =
                all.headMap(0L).values().stream().filter(each -> each.bytes == bytes).findFirst();
        found.ifPresent(each -> all.remove(each.offset));
        return found;
    }

    /** From now on nothing of it moves. */
    void stay() {
        if (!stays) {
            stays = true;
            all.values().forEach(each -> each.movable = false);
        }
    }

    // ---- where it is

    /** It is on the device from now on. */
    void arrived(Place place) {
        if (place.state == State.OUT) {
            out -= place.bytes;
        }
        place.state = State.RESIDENT;
        resident += place.bytes;
        missing(-1, place.bytes);
    }

    /**
     * It is in host memory from now on.
     *
     * @param published how far the client has written commands
     */
    void left(Place place, long published) {
        place.state = State.OUT;
        place.movedAt = published;
        resident -= place.bytes;
        out += place.bytes;
        missing(1, place.bytes);
    }

    /** One that was on the device is removed. */
    void forgetResident(Place place) {
        resident -= place.bytes;
    }

    /** One that never had room is removed. */
    void forgetFresh(Place place) {
        missing(-1, place.bytes);
    }

    /** One in host memory is removed, and its bytes are not wanted any more. */
    void forgetOut(Place place) {
        out -= place.bytes;
        missing(-1, place.bytes);
    }

    /** One in host memory is removed, and its bytes are to come back all the same. */
    void orphan(Place place) {
        out -= place.bytes;
        orphans.add(place);
        absentBytes -= place.bytes;
    }

    Optional<Place> lastOrphan() {
        return orphans.isEmpty() ? Optional.empty() : Optional.of(orphans.getLast());
    }

    /** Its bytes are back. */
    void lastOrphanArrived() {
        orphans.removeLast();
        missing(-1, 0);
    }

    void usedNow(long now) {
        lastUse = now;
    }

    private void missing(int count, long bytes) {
        absent += count;
        absentBytes += count * bytes;
    }
}
