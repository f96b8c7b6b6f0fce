package facet.host.residency;

import facet.host.residency.Place.State;
import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.List;

/**
 * Managed memory, of which the program says where it should be. Program and kernels reach it
 * wherever that is, so nothing is copied when it leaves: its bytes become the host's where they
 * lie, and the device has room for others. With the gate of its holding.
 */
final class ManagedPlaces {
    /** Smaller parts of an allocation are not told apart; so there are few pieces. */
    private static final long GRAIN = 2L << 20;

    private final Residency residency;
    private final Occupant occupant;
    private final Places places;
    private final boolean mapped;
    private long comingBytes;

    /**
     * @param mapped whether program and device have the memory in common; else kernels reach only
     *     what is on the device, and hints change nothing
     */
    ManagedPlaces(Residency residency, Occupant occupant, Places places, boolean mapped) {
        this.residency = residency;
        this.occupant = occupant;
        this.places = places;
        this.mapped = mapped;
    }

    /** Bytes that wait for room. */
    long comingBytes() {
        return comingBytes;
    }

    private interface Change {
        void make(Place piece);
    }

    /**
     * Changes all pieces of a range.
     *
     * @param outward whether grains that are in it in part count as well
     */
    private void each(long offset, long bytes, boolean outward, Change change) {
        if (!mapped) {
            return;
        }
        Place last = null;
        for (Place piece : among(offset, bytes)) {
            if (!piece.isManaged() || last != null && last.allocation == piece.allocation) {
                continue;
            }
            last = piece;
            long from = Math.max(offset, piece.allocation);
            // bounded: a range inside of its context, SessionContext.checkRange
            long to = Math.min(offset + bytes, piece.allocationEnd);
            from = from == piece.allocation ? from : round(from, !outward);
            to = to == piece.allocationEnd ? to : round(to, outward);
            from = Math.max(from, piece.allocation);
            to = Math.min(to, piece.allocationEnd);
            if (from < to) {
                places.cut(from);
                places.cut(to);
                among(from, to - from).forEach(change::make);
                places.join(from, to);
            }
        }
    }

    private static long round(long at, boolean up) {
        long below = at / GRAIN * GRAIN;
        return up && below != at ? below + GRAIN : below;
    }

    private List<Place> among(long offset, long bytes) {
        List<Place> found = new ArrayList<>();
        places.overlapping(offset, bytes).forEach(found::add);
        return found;
    }

    /** The program wants to have it, or does not want what is in it. */
    void leave(long offset, long bytes) {
        each(offset, bytes, false, this::leave);
    }

    void leave(Place piece) {
        stayThere(piece);
        if (piece.state == State.RESIDENT) {
            places.hosted(piece);
            residency.release(piece.bytes);
            residency.movedOut(piece.bytes);
            residency.countMoves(occupant.slice(), Moves.out(piece.bytes));
        }
    }

    private void stayThere(Place piece) {
        if (piece.coming) {
            piece.coming = false;
            comingBytes -= piece.bytes;
        }
    }

    /** Whether it is the first to leave when others need room. */
    void willing(long offset, long bytes, boolean willing) {
        each(offset, bytes, !willing, piece -> piece.willing = willing);
    }

    /**
     * It is to be on the device.
     *
     * @return false when there is no room for it now; it comes when there is
     */
    boolean bring(long offset, long bytes) {
        each(
                offset,
                bytes,
                true,
                piece -> {
                    if (piece.state == State.HOST && !piece.coming) {
                        piece.coming = true;
                        comingBytes += piece.bytes;
                    }
                });
        if (comingBytes == 0) {
            return true;
        }
        if (residency.reserve(comingBytes)) {
            arrive();
            return true;
        }
        return false;
    }

    /** What was waited for is there; the room is reserved. */
    void arrive() {
        for (Place piece : coming()) {
            piece.coming = false;
            places.unhosted(piece);
            residency.movedOut(-piece.bytes);
            residency.countMoves(occupant.slice(), Moves.back(piece.bytes));
        }
        comingBytes = 0;
    }

    /** There will be no room: it stays where it is, and can be used there. */
    void giveUp() {
        coming().forEach(piece -> piece.coming = false);
        comingBytes = 0;
    }

    private List<Place> coming() {
        return places.values().stream().filter(each -> each.coming).toList();
    }

    /** One of the host's was freed. */
    void forget(Place piece) {
        stayThere(piece);
        places.forgetHosted(piece);
        residency.movedOut(-piece.bytes);
    }

    /**
     * What the program does not need on the device: nobody's loss, so it goes before all others.
     */
    List<Eviction.Candidate<Leaver>> candidates(ContextHolding holding, long now) {
        List<Eviction.Candidate<Leaver>> all = new ArrayList<>();
        long longAgo = now - Long.MAX_VALUE / 4;
        Eviction.Owner nobody = new Eviction.Owner(Integer.MIN_VALUE, false, longAgo, longAgo, 0);
        for (Place each : places.values()) {
            if (each.willing && each.state == State.RESIDENT) {
                ContextMoves.Group group = new ContextMoves.Group(holding, List.of(each), true);
                all.add(new Eviction.Candidate<>(group, nobody, each.bytes, longAgo));
            }
        }
        return all;
    }
}
