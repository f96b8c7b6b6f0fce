package facet.host.residency;

import facet.device.Memory;
import facet.host.residency.Place.State;
import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The memory of one context, and where each allocation of it is. */
@SuppressWarnings("NonAtomicVolatileUpdate") // with the gate; others only read
public final class ContextHolding implements Claimant {
    /** Allocations below this are moved together with their neighbours. */
    private static final long LEAST_GROUP = 1 << 20;

    private static final int MOST_GROUPS = 1024;

    /**
     * For so long a client is waited for that does not let go of its memory, and then left alone;
     * each time for longer, up to 16 times as long.
     */
    private static final long PATIENCE_NANOS = 100_000_000;

    private static final int MOST_FAILURES = 4;

    /** Allocations that are moved together. */
    record Group(ContextHolding holding, List<Place> places) implements Leaver {}

    private final Residency residency;
    private final Occupant occupant;
    private final HostStore store;
    private final ReentrantLock gate = new ReentrantLock();
    private final TreeMap<Long, Place> places = new TreeMap<>();

    /** Freed while they were out, when their bytes may be those of what is there now. */
    private final List<Place> orphans = new ArrayList<>();

    private int absent;
    private long absentBytes;
    private long lastUse = System.nanoTime();
    private long since = lastUse;
    private long moveNanos;
    private long lastUsedInPart = lastUse;
    private long untrustedUntil = lastUse;
    private long lastOwn;
    private int failures;
    private boolean held;
    private boolean stays;
    private boolean gone;
    private volatile boolean leaving;
    private volatile long resident;
    private volatile long out;

    ContextHolding(Residency residency, Occupant occupant, Memory memory) {
        this.residency = residency;
        this.occupant = occupant;
        this.store = new HostStore(memory);
    }

    Occupant occupant() {
        return occupant;
    }

    /** Bytes on the device. Any thread. */
    public long resident() {
        return resident;
    }

    /** Bytes in host memory. Any thread. */
    public long out() {
        return out;
    }

    // ---- for the session's thread

    /**
     * Waits until what a command touches is on the device. Then it stays there until {@link #leave}
     * is called, and as long as what was given to the device meanwhile is under way.
     *
     * @return false when there is no room for it, or the session ends; nothing is to be left then
     */
    @SuppressWarnings("LockNotBeforeTry") // it is held until leave
    public boolean enter(Reach reach) {
        while (true) {
            gate.lock();
            if (absent == 0 || isPresent(reach)) {
                use(reach);
                return true;
            }
            gate.unlock();
            if (!residency.fetch(this)) {
                return false;
            }
        }
    }

    public void leave() {
        gate.unlock();
    }

    private boolean isPresent(Reach reach) {
        return !reach.everything()
                && isPresent(reach.first(), reach.firstBytes())
                && isPresent(reach.second(), reach.secondBytes());
    }

    private boolean isPresent(long offset, long bytes) {
        if (!orphans.isEmpty()) {
            return bytes == 0;
        }
        for (Place each : overlapping(offset, bytes)) {
            if (each.state != State.RESIDENT) {
                return false;
            }
        }
        return true;
    }

    private Iterable<Place> overlapping(long offset, long bytes) {
        if (bytes == 0) {
            return List.of();
        }
        Map.Entry<Long, Place> before = places.floorEntry(offset);
        boolean reachesIn =
                before != null && before.getValue().offset + before.getValue().bytes > offset;
        long from = reachesIn ? before.getKey() : offset;
        return places.subMap(from, true, offset + bytes, false).values();
    }

    private void use(Reach reach) {
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

    /** Waits until everything is on the device. */
    public boolean fetch() {
        boolean there = enter(Reach.EVERYTHING);
        if (there) {
            leave();
        }
        return there;
    }

    /**
     * From now on nothing of it moves: other contexts touch it, and nobody knows when.
     *
     * @return false when there is no room for all of it on the device
     */
    public boolean stay() {
        if (!enter(Reach.EVERYTHING)) {
            return false;
        }
        try {
            stays = true;
            places.values().forEach(each -> each.movable = false);
            return true;
        } finally {
            leave();
        }
    }

    /** The host has taken memory for itself: module variables, heap. It never moves. Any thread. */
    public void takeOwn(long bytes) {
        gate.lock();
        try {
            take(--lastOwn, bytes, false);
        } finally {
            gate.unlock();
        }
    }

    /** Gives back as much as was taken at once. Any thread. */
    public void giveOwn(long bytes) {
        gate.lock();
        try {
            places.headMap(0L).values().stream()
                    .filter(each -> each.bytes == bytes)
                    .findFirst()
                    .ifPresent(each -> give(each.offset));
        } finally {
            gate.unlock();
        }
    }

    /**
     * An allocation was made. Where the device has no room it gets it when it is first touched.
     *
     * @param offset in the context's memory
     * @param movable false for what the program touches through plain pointers
     */
    public void take(long offset, long bytes, boolean movable) {
        gate.lock();
        try {
            Place place = new Place(offset, bytes, movable && !stays, System.nanoTime());
            places.put(offset, place);
            if (residency.reserve(bytes)) {
                place.state = State.RESIDENT;
                resident += bytes;
            } else {
                missing(1, bytes);
                occupant.moved(true);
            }
        } finally {
            gate.unlock();
        }
    }

    /** An allocation was freed; nothing when it is not known. */
    public void give(long offset) {
        gate.lock();
        try {
            Place place = places.remove(offset);
            if (place == null) {
                return;
            }
            switch (place.state) {
                case RESIDENT -> {
                    resident -= place.bytes;
                    residency.release(place.bytes);
                }
                case FRESH -> missing(-1, place.bytes);
                case OUT -> giveOut(place);
            }
            if (absent == 0) {
                whole();
            }
        } finally {
            gate.unlock();
        }
    }

    /**
     * When the client freed it before it was moved, its bytes may be those of a newer allocation at
     * the same address; and work that is held may still use what was freed in stream order. Then
     * they come back with the rest.
     */
    private void giveOut(Place place) {
        out -= place.bytes;
        residency.movedOut(-place.bytes);
        if (held || occupant.isWorking() || occupant.read() <= place.movedAt) {
            orphans.add(place);
            absentBytes -= place.bytes;
        } else {
            store.drop(place.offset, place.bytes);
            missing(-1, place.bytes);
        }
    }

    private void missing(int count, long bytes) {
        absent += count;
        absentBytes += count * bytes;
    }

    private void whole() {
        occupant.moved(false);
        if (held) {
            held = false;
            occupant.hold(false);
        }
    }

    /** The context ends; a move that is under way is broken off. Its memory may go afterwards. */
    public void end() {
        leaving = true;
        gate.lock();
        try {
            if (!gone) {
                gone = true;
                residency.remove(this, resident, out);
                store.close();
            }
        } finally {
            gate.unlock();
        }
    }

    // ---- as one who waits

    @Override
    public boolean isLeaving() {
        return leaving;
    }

    @Override
    public Outcome claim() {
        if (!tryGate()) {
            return new Outcome.Busy(true);
        }
        try {
            if (absent > 0) {
                long missing = residency.reserveFirst(absentBytes);
                if (missing > 0) {
                    return new Outcome.Missing(missing);
                }
                moveIn();
            }
            // Held: it did not come, and its work still waits for it.
            return new Outcome.Over(absent == 0, held);
        } finally {
            leave();
        }
    }

    @Override
    public Optional<Boolean> refuse(long missing) {
        if (!tryGate()) {
            return Optional.empty();
        }
        try {
            occupant.log(
                    "no room for its memory on the device: "
                            + missing
                            + " bytes are missing, and what others have there cannot be moved;"
                            + " end one of them, or promise less");
            return Optional.of(held);
        } finally {
            leave();
        }
    }

    // ---- for the thread that moves

    /** Takes the gate unless somebody has it for longer. */
    private boolean tryGate() {
        try {
            return gate.tryLock(Residency.GATE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Eviction.Owner owner() {
        long used = lastUse - lastUsedInPart > 0 ? lastUse : lastUsedInPart;
        return new Eviction.Owner(
                occupant.priority(), !held && occupant.isWorking(), used, since, moveNanos);
    }

    /** What could leave the device; nothing while its client does not let go. */
    List<Eviction.Candidate<Leaver>> candidates(long now) {
        if (now - untrustedUntil < 0 || !tryGate()) {
            return List.of();
        }
        try {
            return candidates();
        } finally {
            leave();
        }
    }

    private List<Eviction.Candidate<Leaver>> candidates() {
        List<Eviction.Candidate<Leaver>> all = new ArrayList<>();
        Eviction.Owner owner = owner();
        long enough = Math.max(LEAST_GROUP, resident / MOST_GROUPS);
        List<Place> group = new ArrayList<>();
        long bytes = 0;
        long used = lastUse;
        for (Place each : places.values()) {
            if (each.movable && each.state == State.RESIDENT) {
                group.add(each);
                bytes += each.bytes;
                used = used - each.lastUse > 0 ? used : each.lastUse;
                if (bytes >= enough) {
                    all.add(candidate(owner, group, bytes, used));
                    group = new ArrayList<>();
                    bytes = 0;
                    used = lastUse;
                }
            }
        }
        if (!group.isEmpty()) {
            all.add(candidate(owner, group, bytes, used));
        }
        return all;
    }

    private Eviction.Candidate<Leaver> candidate(
            Eviction.Owner owner, List<Place> group, long bytes, long used) {
        return new Eviction.Candidate<>(new Group(this, group), owner, bytes, used);
    }

    /** Moves what was chosen to host memory, of one context after the other. */
    static boolean moveOut(List<Group> chosen, Residency residency) {
        Map<ContextHolding, List<Place>> byTenant = new LinkedHashMap<>();
        for (Group each : chosen) {
            byTenant.computeIfAbsent(each.holding, _ -> new ArrayList<>()).addAll(each.places);
        }
        boolean all = true;
        for (Map.Entry<ContextHolding, List<Place>> each : byTenant.entrySet()) {
            ContextHolding holding = each.getKey();
            if (!holding.tryGate()) {
                all = false;
                continue;
            }
            boolean wantsBack;
            boolean moved;
            try {
                moved = holding.moveOut(each.getValue());
                wantsBack = holding.held && holding.absent > 0;
            } finally {
                holding.leave();
            }
            if (wantsBack) {
                // Its work is under way, so it does without asking.
                residency.ask(holding);
            }
            if (!moved) {
                return false;
            }
        }
        return all;
    }

    /** False when it cannot be done now. With the gate. */
    private boolean moveOut(List<Place> chosen) {
        long begin = System.nanoTime();
        if (gone || leaving || !residency.eviction().isMovable(owner(), begin)) {
            return false;
        }
        Mover mover = new Mover(occupant, store, () -> leaving);
        if (!mover.keepClientAway(patience())) {
            occupant.moved(absent > 0);
            distrust();
            return false;
        }
        if (!held && occupant.isWorking()) {
            held = true;
            occupant.hold(true);
        }
        boolean moved = true;
        long published = occupant.published();
        for (Place each : chosen) {
            if (each.state != State.RESIDENT || places.get(each.offset) != each) {
                continue;
            }
            moved = mover.out(each);
            if (moved || mover.isTorn()) {
                left(each, published);
            }
            if (!moved) {
                break;
            }
        }
        if (absent == 0) {
            whole();
        }
        if (moved) {
            failures = 0;
        } else {
            distrust();
        }
        moveNanos = System.nanoTime() - begin;
        return moved;
    }

    private void left(Place place, long published) {
        place.state = State.OUT;
        place.movedAt = published;
        resident -= place.bytes;
        out += place.bytes;
        missing(1, place.bytes);
        residency.release(place.bytes);
        residency.movedOut(place.bytes);
        residency.countMoves(occupant.slice(), Moves.out(place.bytes));
    }

    /** In a process that was lent its room somebody else waits, and not for long. */
    private long patience() {
        return PATIENCE_NANOS << Math.min(failures, residency.isLent() ? 2 : MOST_FAILURES);
    }

    private void distrust() {
        failures = Math.min(failures + 1, MOST_FAILURES);
        untrustedUntil = System.nanoTime() + (PATIENCE_NANOS << failures);
    }

    /** Brings everything back; the room is reserved. With the gate. */
    private void moveIn() {
        long begin = System.nanoTime();
        boolean comesBack = out > 0 || resident == 0;
        Mover mover = new Mover(occupant, store, () -> leaving);
        boolean moved = true;
        for (Place each : places.values()) {
            if (each.state == State.OUT) {
                if (!mover.in(each)) {
                    moved = false;
                    break;
                }
                out -= each.bytes;
                residency.movedOut(-each.bytes);
                residency.countMoves(occupant.slice(), Moves.back(each.bytes));
            }
            if (each.state != State.RESIDENT) {
                each.state = State.RESIDENT;
                resident += each.bytes;
                missing(-1, each.bytes);
            }
        }
        while (moved && !orphans.isEmpty()) {
            moved = mover.in(orphans.getLast());
            if (moved) {
                orphans.removeLast();
                missing(-1, 0);
            }
        }
        if (!moved) {
            // Reserved for what did not come.
            residency.release(absentBytes);
        } else {
            whole();
        }
        long now = System.nanoTime();
        if (comesBack) {
            // Who only takes more does not begin anew with each piece.
            since = now;
        }
        lastUse = now;
        moveNanos = Math.max(moveNanos, now - begin);
    }
}
