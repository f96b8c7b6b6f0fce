package facet.host.residency;

import facet.device.Memory;
import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The memory of one context: what stands in its book, and who may touch it. Whoever has the gate
 * knows that nothing moves. Only the thread that moves, and whoever ends the context, waits for the
 * gate: others do without, and are told when it is free.
 */
public final class ContextHolding implements Claimant {
    private final Residency residency;
    private final Occupant occupant;
    private final Gate gate = new Gate(this::isThere);
    private final Places places = new Places();
    private final ContextMoves moves;
    private final ManagedPlaces managed;

    /** Whether what it waited for last is more than a wish. Of the serving thread. */
    private boolean patient = true;

    /** What stays on the device when this ends. With the gate. */
    private long kept;

    private volatile boolean gone;
    private volatile boolean leaving;

    ContextHolding(Residency residency, Occupant occupant, Memory memory) {
        this.residency = residency;
        this.occupant = occupant;
        moves = new ContextMoves(residency, occupant, places, memory, () -> leaving);
        managed = new ManagedPlaces(residency, occupant, places, memory.mapping().isPresent());
    }

    Occupant occupant() {
        return occupant;
    }

    /** Bytes on the device. Any thread. */
    public long resident() {
        return places.resident();
    }

    /** Bytes in host memory. Any thread. */
    public long out() {
        return places.out();
    }

    // ---- for who gives work to the device: any thread

    /**
     * When what a command touches is on the device it stays there until {@link #leave} is called,
     * and as long as what was given to the device meanwhile is under way. Does not wait.
     *
     * @return false when it is not there; it was asked for, and nothing is to be left
     */
    public boolean enter(Reach reach) {
        if (!gate.tryEnter()) {
            return false;
        }
        if (isUsable(reach)) {
            return true;
        }
        leave();
        residency.ask(this);
        return false;
    }

    /**
     * The same.
     *
     * @param later is told when it is worth to try again, or that it is not
     */
    public boolean enter(Reach reach, Later later) {
        if (!gate.tryEnter(later)) {
            return false;
        }
        if (isUsable(reach)) {
            return true;
        }
        leave();
        residency.ask(this, later);
        return false;
    }

    private boolean isUsable(Reach reach) {
        gate.settle();
        if (places.isPresent(reach)) {
            places.use(reach);
            return true;
        }
        return false;
    }

    public void leave() {
        gate.leave();
    }

    private boolean isThere() {
        return !gone;
    }

    /** Tells when everything is on the device, or that it cannot be; at once when it is. */
    public void whenThere(Later told) {
        if (enter(
                Reach.EVERYTHING,
                possible -> {
                    if (possible) {
                        whenThere(told);
                    } else {
                        told.again(false);
                    }
                })) {
            leave();
            told.again(true);
        }
    }

    /**
     * From now on nothing of it moves: other contexts touch it, and nobody knows when.
     *
     * @param later as with {@link #enter}
     * @return false when not all of it is on the device
     */
    public boolean stay(Later later) {
        if (!enter(Reach.EVERYTHING, later)) {
            return false;
        }
        try {
            places.stay();
            return true;
        } finally {
            leave();
        }
    }

    /**
     * Not all of it is on the device, and work that found it there is about to go on: it is held
     * back until all is. Not on a thread of the device.
     */
    public void holdBack() {
        if (!residency.isServing() || isLeaving()) {
            return; // nothing moves any more
        }
        gate.enter();
        try {
            if (!gone && places.absent() > 0) {
                moves.hold();
                residency.ask(this);
            }
        } finally {
            leave();
        }
    }

    // ---- the book

    /** The host has taken memory for itself: module variables, heap. It never moves. Any thread. */
    public void takeOwn(long bytes) {
        gate.change(() -> settle(places.addOwn(bytes)));
    }

    /** Gives back as much as was taken at once. Any thread. */
    public void giveOwn(long bytes) {
        gate.change(() -> places.removeOwn(bytes).ifPresent(each -> forget(each, 0)));
    }

    /** So many of its bytes, which are on the device, are others' too. Any thread. */
    public void keep(long bytes) {
        gate.change(() -> kept += bytes);
    }

    /** They are nobody else's any more. They may have outlived the context. Any thread. */
    public void unkeep(long bytes) {
        gate.change(() -> {
            if (gone) {
                residency.release(bytes);
            } else {
                kept -= bytes;
            }
        });
    }

    /**
     * An allocation was made. Where the device has no room it gets it when it is first touched. By
     * the session's thread.
     *
     * @param offset in the context's memory
     * @param movable false for what the program touches through plain pointers
     */
    public void take(long offset, long bytes, boolean movable) {
        gate.change(() ->
                settle(
                        movable
                                ? places.add(offset, bytes, true)
                                : places.addManaged(offset, bytes)));
    }

    private void settle(Place place) {
        if (gone) {
            return;
        }
        if (residency.reserve(place.bytes)) {
            places.arrived(place);
        } else {
            occupant.moved(true);
        }
    }

    /** An allocation was freed; nothing when it is not known. By the session's thread. */
    public void give(long offset) {
        long read = occupant.read();
        gate.change(() -> places.remove(offset).forEach(each -> forget(each, read)));
    }

    // ---- where the program wants managed memory to be

    /** It is to leave the device. Any thread. */
    public void toHost(long offset, long bytes) {
        gate.change(() -> managed.leave(offset, bytes));
    }

    /** It is the first to leave when others need room, or not so any more. Any thread. */
    public void willing(long offset, long bytes, boolean willing) {
        gate.change(() -> managed.willing(offset, bytes, willing));
    }

    /**
     * It is to come to the device. Does not wait.
     *
     * @param over is run when it is there, or cannot be; at once when it is
     */
    public void toDevice(long offset, long bytes, Runnable over) {
        if (!enter(Reach.NOTHING, _ -> toDevice(offset, bytes, over))) {
            return;
        }
        boolean there;
        try {
            there = gone || managed.bring(offset, bytes);
        } finally {
            leave();
        }
        if (there) {
            over.run();
            return;
        }
        residency.ask(
                this,
                possible -> {
                    if (possible) {
                        toDevice(offset, bytes, over);
                    } else {
                        over.run();
                    }
                });
    }

    /**
     * @param read how far commands were read when it was freed
     */
    private void forget(Place place, long read) {
        if (gone) {
            return;
        }
        switch (place.state) {
            case RESIDENT -> {
                places.forgetResident(place);
                residency.release(place.bytes);
            }
            case FRESH -> places.forgetFresh(place);
            case OUT -> forgetOut(place, read);
            case HOST -> managed.forget(place);
        }
        if (places.absent() == 0) {
            moves.whole();
        }
    }

    /**
     * When the client freed it before it was moved, its bytes may be those of a newer allocation at
     * the same address; and work that is held back may still use what was freed in stream order.
     * Then they come back with the rest.
     */
    private void forgetOut(Place place, long read) {
        residency.movedOut(-place.bytes);
        if (moves.isHeld() || occupant.hasWork() || read <= place.movedAt) {
            places.orphan(place);
        } else {
            moves.drop(place);
            places.forgetOut(place);
        }
    }

    /**
     * The context ends; a move that is under way is broken off. Its memory may go afterwards, but
     * for what others have open.
     */
    public void end() {
        leaving = true;
        gate.enter();
        try {
            gate.settle();
            if (!gone) {
                gone = true;
                residency.remove(this, places.resident() - kept, places.out());
                moves.close();
            }
        } finally {
            leave();
        }
        residency.withdraw(this);
    }

    // ---- as one who waits

    @Override
    public boolean isLeaving() {
        return leaving || occupant.isEnding();
    }

    @Override
    public Outcome claim() {
        if (!gate.enterSoon()) {
            return new Outcome.Busy(true);
        }
        try {
            if (gone) {
                return new Outcome.Over(false, false);
            }
            gate.settle();
            if (places.absent() > 0) {
                patient = true;
                long missing = residency.reserveFirst(places.absentBytes());
                if (missing > 0) {
                    return new Outcome.Missing(missing);
                }
                moves.in();
                // Held: it did not come, and its work still waits for it.
                boolean again = moves.isHeld() || managed.comingBytes() > 0;
                return new Outcome.Over(places.absent() == 0, again);
            }
            patient = false;
            if (managed.comingBytes() > 0) {
                long missing = residency.reserveFirst(managed.comingBytes());
                if (missing > 0) {
                    return new Outcome.Missing(missing);
                }
                managed.arrive();
            }
            return new Outcome.Over(true, moves.isHeld());
        } finally {
            leave();
        }
    }

    /** What the program only wishes for is not waited for when nothing can leave. */
    @Override
    public boolean isPatient() {
        return patient;
    }

    @Override
    public Optional<Boolean> refuse(long missing) {
        if (!gate.enterSoon()) {
            return Optional.empty();
        }
        try {
            if (places.absent() == 0) {
                managed.giveUp();
                return Optional.of(false);
            }
            occupant.log(
                    "no room for its memory on the device: "
                            + missing
                            + " bytes are missing, and what others have there cannot be moved;"
                            + " end one of them, or promise less");
            return Optional.of(moves.isHeld());
        } finally {
            leave();
        }
    }

    // ---- for the thread that moves

    /**
     * What could leave the device: of a client that does not let go, and for itself, only what the
     * program does not need there.
     *
     * @param own whether it would leave for its own context
     */
    List<Eviction.Candidate<Leaver>> candidates(long now, boolean own) {
        if (!gate.enterSoon()) {
            return List.of();
        }
        try {
            gate.settle();
            List<Eviction.Candidate<Leaver>> all = managed.candidates(this, now);
            if (!own && moves.isTrusted(now)) {
                all.addAll(moves.candidates(this));
            }
            return all;
        } finally {
            leave();
        }
    }

    private boolean moveOutNow(List<Place> chosen) {
        List<Place> copied = new ArrayList<>();
        for (Place each : chosen) {
            if (!each.isManaged()) {
                copied.add(each);
            } else if (places.has(each) && each.willing) {
                managed.leave(each);
            }
        }
        return copied.isEmpty() || moves.out(copied);
    }

    /** Moves some of it to host memory. */
    ContextMoves.Result moveOut(List<Place> chosen) {
        if (!gate.enterSoon()) {
            return ContextMoves.Result.BUSY;
        }
        boolean wantsBack;
        boolean moved;
        try {
            gate.settle();
            moved = !gone && moveOutNow(chosen);
            wantsBack = moves.isHeld() && places.absent() > 0;
        } finally {
            leave();
        }
        if (wantsBack) {
            // Its work is under way, so it does without asking.
            residency.ask(this);
        }
        return moved ? ContextMoves.Result.MOVED : ContextMoves.Result.FAILED;
    }
}
