package facet.host.residency;

import facet.device.Memory;
import facet.host.residency.Place.State;
import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * How the memory of one context leaves the device and comes back. With the gate of its holding, by
 * the thread that moves.
 */
final class ContextMoves {
    /** Allocations below this are moved together with their neighbours. */
    private static final long LEAST_GROUP = 1 << 20;

    private static final int MOST_GROUPS = 1024;

    /**
     * For so long a client is waited for that does not let go of its memory, and then left alone;
     * each time for longer, up to 16 times as long.
     */
    private static final long PATIENCE_NANOS = 100_000_000;

    private static final int MOST_FAILURES = 4;

    /**
     * Allocations that are moved together.
     *
     * @param willing whether the program said that they need not be on the device
     */
    record Group(ContextHolding holding, List<Place> places, boolean willing) implements Leaver {}

    private final Residency residency;
    private final Occupant occupant;
    private final Places places;
    private final BooleanSupplier leaving;
    private final HostStore store;
    private long since = System.nanoTime();
    private long moveNanos;
    private volatile long untrustedUntil = since;
    private int failures;
    private boolean held;

    /**
     * @param leaving whether the context ends: a move that is under way is broken off
     */
    ContextMoves(
            Residency residency,
            Occupant occupant,
            Places places,
            Memory memory,
            BooleanSupplier leaving) {
        this.residency = residency;
        this.occupant = occupant;
        this.places = places;
        this.leaving = leaving;
        this.store = new HostStore(memory);
    }

    /** Whether its work is held back until its memory is there. */
    boolean isHeld() {
        return held;
    }

    void hold() {
        if (!held) {
            held = true;
            occupant.hold(true);
        }
    }

    /** Not while its client does not let go. Any thread. */
    boolean isTrusted(long now) {
        return now - untrustedUntil >= 0;
    }

    private Eviction.Owner owner() {
        return new Eviction.Owner(
                occupant.priority(),
                !held && occupant.isWorking(),
                places.lastUseOfAny(),
                since,
                moveNanos);
    }

    // ---- out

    /** What could leave the device. */
    List<Eviction.Candidate<Leaver>> candidates(ContextHolding holding) {
        List<Eviction.Candidate<Leaver>> all = new ArrayList<>();
        Eviction.Owner owner = owner();
        long enough = Math.max(LEAST_GROUP, places.resident() / MOST_GROUPS);
        List<Place> group = new ArrayList<>();
        long bytes = 0;
        long used = places.lastUse();
        for (Place each : places.values()) {
            if (each.movable && each.state == State.RESIDENT) {
                group.add(each);
                bytes += each.bytes;
                used = used - each.lastUse > 0 ? used : each.lastUse;
                if (bytes >= enough) {
                    all.add(
                            new Eviction.Candidate<>(
                                    new Group(holding, group, false), owner, bytes, used));
                    group = new ArrayList<>();
                    bytes = 0;
                    used = places.lastUse();
                }
            }
        }
        if (!group.isEmpty()) {
            all.add(new Eviction.Candidate<>(new Group(holding, group, false), owner, bytes, used));
        }
        return all;
    }

    /** Moves what was chosen to host memory, of one context after the other. */
    static boolean moveOut(List<Group> chosen, Residency residency) {
        Map<ContextHolding, List<Place>> byContext = new LinkedHashMap<>();
        for (Group each : chosen) {
            byContext.computeIfAbsent(each.holding, _ -> new ArrayList<>()).addAll(each.places);
        }
        boolean all = true;
        for (Map.Entry<ContextHolding, List<Place>> each : byContext.entrySet()) {
            switch (each.getKey().moveOut(each.getValue())) {
                case BUSY -> all = false;
                case FAILED -> {
                    return false;
                }
                case MOVED -> {}
            }
        }
        return all;
    }

    /** How it went. */
    enum Result {
        MOVED,
        FAILED,
        /** Somebody else has the gate. */
        BUSY
    }

    /** False when it cannot be done now. */
    boolean out(List<Place> chosen) {
        long begin = System.nanoTime();
        if (leaving.getAsBoolean() || !residency.eviction().isMovable(owner(), begin)) {
            return false;
        }
        Mover mover = new Mover(occupant, store, leaving);
        if (!mover.keepClientAway(patience())) {
            occupant.moved(places.absent() > 0);
            distrust();
            return false;
        }
        if (occupant.isWorking()) {
            hold();
        }
        boolean moved = true;
        long published = occupant.published();
        for (Place each : chosen) {
            if (each.state != State.RESIDENT || !places.has(each)) {
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
        if (places.absent() == 0) {
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
        places.left(place, published);
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

    // ---- back

    /** Brings everything back; the room is reserved. */
    void in() {
        long begin = System.nanoTime();
        boolean comesBack = places.movedOut() > 0 || places.resident() == 0;
        Mover mover = new Mover(occupant, store, leaving);
        boolean moved = true;
        for (Place each : places.values()) {
            if (each.state == State.OUT) {
                if (!mover.in(each)) {
                    moved = false;
                    break;
                }
                residency.movedOut(-each.bytes);
                residency.countMoves(occupant.slice(), Moves.back(each.bytes));
            }
            if (each.state == State.FRESH || each.state == State.OUT) {
                places.arrived(each);
            }
        }
        Optional<Place> orphan = places.lastOrphan();
        while (moved && orphan.isPresent()) {
            moved = mover.in(orphan.get());
            if (moved) {
                places.lastOrphanArrived();
                orphan = places.lastOrphan();
            }
        }
        if (!moved) {
            // Reserved for what did not come.
            residency.release(places.absentBytes());
        } else {
            whole();
        }
        long now = System.nanoTime();
        if (comesBack) {
            // Who only takes more does not begin anew with each piece.
            since = now;
        }
        places.usedNow(now);
        moveNanos = Math.max(moveNanos, now - begin);
    }

    /** All of it is on the device. */
    void whole() {
        occupant.moved(false);
        if (held) {
            held = false;
            occupant.hold(false);
        }
    }

    /** The bytes of what was freed while it was out are not wanted any more. */
    void drop(Place place) {
        store.drop(place.offset, place.bytes);
    }

    void close() {
        store.close();
    }
}
