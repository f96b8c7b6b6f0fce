package facet.sched;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Who sits on which seat of a device, who waits, and who is next. All times are nanoseconds of a
 * clock that never goes back. The order among those who wait:
 *
 * <ol>
 *   <li>a higher rank goes first;
 *   <li>of one rank, who has been served least, measured by its part of the device;
 *   <li>nobody whose budget is spent, or who has all the seats it may have;
 *   <li>while a turn lasts, only its holder and higher ranks.
 * </ol>
 */
@SuppressWarnings("ReferenceEquality") // a share is itself, whatever it looks like
public final class Board {
    /** How long work runs before it is asked whether another one is due. */
    static final long QUANTUM = 4_000_000;

    /** Work of the same share takes turns too, more rarely. */
    static final long OWN_QUANTUM = 20_000_000;

    /** What comes anew waits so long for a seat that has just been taken by an equal. */
    static final long LEAST_RUN = 200_000;

    /**
     * By how much one must have been served less to have an equal's seat before its quantum ends.
     * So long a small share keeps its seat: what is served of it grows quickly, and to change
     * threads costs as much as for others.
     */
    static final long NOTABLE = 1_000_000;

    private static final long SOON = 100_000;

    /** How much of an overrun counts, and how much of the last one still does at the next. */
    private static final long MOST_OVERRUN = 200_000_000;

    private static final double FADING = 0.9;

    /** Later than anything. */
    public static final long NEVER = 1L << 62;

    private final int seats;

    /** Seats whose work runs at the same time: so much of its time a device has. */
    private final int parallel;

    /** Whether time is charged as it goes by, or when it was measured. */
    private final boolean byClock;

    private final Shares shares;
    private final @Nullable Share[] on;
    private final long[] chargedUpTo;
    private final long[] began;
    private final Linger linger;
    private final AtomicLongArray deadlines;
    private final Turn turn;

    /** Of a device that runs work on all its seats at once, and makes room when it is asked to. */
    public Board(int seats) {
        this(seats, seats, true);
    }

    /**
     * Of a device that can only delay launches: what was begun goes on to its end, one after the
     * other, and what it took is known then.
     *
     * @param launches that may be under way: one runs, the others follow without a gap
     */
    public static Board ofLaunches(int launches) {
        return new Board(launches, 1, false);
    }

    private Board(int seats, int parallel, boolean byClock) {
        this.seats = seats;
        this.parallel = parallel;
        this.byClock = byClock;
        shares = new Shares(parallel);
        on = new Share[seats];
        chargedUpTo = new long[seats];
        began = new long[seats];
        linger = new Linger(seats);
        deadlines = new AtomicLongArray(seats);
        turn = new Turn(parallel);
    }

    // ---- who shares

    public void join(Share share, long now) {
        share.beginEarning(now);
        share.served = shares.reference(share);
        shares.add(share);
    }

    /** New rights, from now on. */
    public void change(Share share, Entitlement entitlement, long now) {
        chargeAll(now);
        share.earn(parallel, now);
        boolean equal = share.rank() == entitlement.rank();
        share.entitlement = entitlement;
        // One without a cap has nothing to wait for.
        share.earn(parallel, now);
        if (!equal || !share.isActive()) {
            share.served = shares.reference(share);
        }
        if (turn.isHeldBy(share) && entitlement.turn() == 0) {
            endTurn(now);
        }
        for (int seat = 0; seat < seats; seat++) {
            deadlines.set(seat, now);
        }
    }

    /** Nothing of it may be on a seat or waiting. */
    public void leave(Share share, long now) {
        if (turn.isHeldBy(share)) {
            endTurn(now);
        }
        shares.remove(share);
        linger.forget(share);
    }

    // ---- work

    public void waiting(Share share, int change, long now) {
        boolean starved = share.isStarved();
        boolean wasActive = share.isActive();
        if (change > 0 && !wasActive) {
            shares.catchUp(share);
        }
        share.waiting += change;
        shares.noteActive(share, wasActive);
        share.noteWait(starved, now);
        if (wasActive && !share.isActive() && turn.isHeldBy(share)) {
            turn.idle(now);
        }
        share.earn(parallel, now);
        if (change > 0 && mayRun(share, now)) {
            disturb(share, now);
        }
    }

    /**
     * Who is to have a free seat now; it has it when it {@link #sit}s. Asked again, another one may
     * be: what is looked at is settled by that.
     */
    public @Nullable Share peek(int seat, long now) {
        Share best = next(now, null);
        Share last = linger.waitsFor(seat, now);
        boolean waits = best != null && last != null && last != best && isAhead(last, best, now);
        return waits ? null : best;
    }

    /** Whether a seat is better kept for the one who has just left it. */
    private boolean isAhead(Share last, Share best, long now) {
        return last.waiting == 0
                && !last.spent
                && last.rank() == best.rank()
                && last.served < best.served
                && !isShutOut(last, now);
    }

    public @Nullable Share pick(int seat, long now) {
        Share best = peek(seat, now);
        if (best != null) {
            sit(seat, best, now);
        }
        return best;
    }

    /** Gives a free seat to one of those who wait. */
    public void sit(int seat, Share best, long now) {
        Share last = linger.waitsFor(seat);
        if (last != null) {
            // The time that a seat stood empty for a share is that share's.
            last.served += linger.end(seat, now) / shares.part(last);
        }
        boolean starved = best.isStarved();
        best.waiting--;
        best.running++;
        best.noteWait(starved, now);
        on[seat] = best;
        chargedUpTo[seat] = now;
        began[seat] = now;
        if (best.entitlement.turn() > 0) {
            beginTurn(best, now);
        }
        extend(seat, best, now);
    }

    public long deadline(int seat) {
        return deadlines.get(seat);
    }

    public boolean givesWay(int seat, long now) {
        Share share = on[seat];
        if (share == null) {
            return true;
        }
        charge(seat, now);
        share.earn(parallel, now);
        if (share.spent || share.running > share.entitlement.seats() || isShutOut(share, now)) {
            return true;
        }
        Share best = next(now, share);
        boolean due =
                best != null
                        && (best.rank() > share.rank()
                                || best.rank() == share.rank()
                                        && !turn.isHeldBy(share)
                                        && best.served < share.served);
        boolean ownDue = share.waiting > 0 && !share.rotates && now - began[seat] >= OWN_QUANTUM;
        if (due || ownDue) {
            return true;
        }
        extend(seat, share, now);
        return false;
    }

    /** The work on a seat has ended; its share has paid for the time that it was there. */
    public void release(int seat, long now) {
        payUpTo(seat, now);
        free(seat, now);
    }

    /**
     * The same on a device whose launches are measured.
     *
     * @param nanos that the work took
     */
    public void release(int seat, long nanos, long now) {
        Share share = on[seat];
        if (share != null) {
            pay(share, Math.max(0, nanos), now);
        }
        free(seat, now);
    }

    private void free(int seat, long now) {
        Share share = on[seat];
        if (share != null) {
            boolean starved = share.isStarved();
            noteOverrun(share, now - deadlines.get(seat));
            share.running--;
            shares.noteActive(share, true);
            share.noteWait(starved, now);
            on[seat] = null;
            linger.begin(seat, share, now);
            if (turn.isHeldBy(share) && !share.isActive()) {
                turn.idle(now);
            }
        }
    }

    /** What goes on to its end may take long: others who wait for it lose nothing by that. */
    private void noteOverrun(Share share, long nanos) {
        if (!byClock) {
            share.overrun =
                    Math.max(FADING * share.overrun, (double) Math.min(nanos, MOST_OVERRUN));
        }
    }

    public boolean isFree(int seat) {
        return on[seat] == null;
    }

    /**
     * The work on a seat stood still for so long since it was last charged, up to now: that is not
     * device time.
     */
    public void excuse(int seat, long nanos, long now) {
        chargedUpTo[seat] = Math.min(now, chargedUpTo[seat] + Math.max(0, nanos));
        payUpTo(seat, now);
    }

    /** A share caused work elsewhere that it is to pay for as if it had had a seat so long. */
    public void bill(Share share, long nanos, long now) {
        share.earn(parallel, now);
        share.spend(parallel, nanos);
        share.served += nanos / shares.part(share);
    }

    /** Whether somebody else than this one waits for a seat. */
    public boolean othersWait(Share share) {
        return shares.othersWait(share);
    }

    /** Whether the work on a seat need not be asked to make room until somebody else comes. */
    public boolean mayStay(int seat) {
        Share share = on[seat];
        return share != null
                && shares.active() == 1
                && !share.isCapped()
                && share.entitlement.turn() == 0;
    }

    /** Seats that a share has a right to beside those who are active now. */
    public double part(Share share) {
        return shares.part(share);
    }

    /** Device time that a share had, what runs now included. */
    public long used(Share share, long now) {
        chargeAll(now);
        return share.used();
    }

    /** When a seat that found nothing is to ask again. */
    public long nextPick(long now) {
        long next = NEVER;
        boolean somebodyWaits = false;
        for (Share each : shares.all()) {
            somebodyWaits |= each.waiting > 0;
            if (each.waiting > 0 && each.spent) {
                next = Math.min(next, each.affordable(parallel, now));
            }
        }
        for (int seat = 0; somebodyWaits && seat < seats; seat++) {
            if (on[seat] == null) {
                next = Math.min(next, linger.ends(seat, now));
            }
        }
        if (turn.isHeld()) {
            next = Math.min(next, turn.over());
        }
        return next;
    }

    // ---- the choice

    private @Nullable Share next(long now, @Nullable Share except) {
        expireTurn(now);
        if (shares.active() > 1) {
            chargeAll(now);
        }
        Share best = null;
        for (Share each : shares.all()) {
            if (each == except || each.waiting == 0) {
                continue;
            }
            each.earn(parallel, now);
            if (mayRun(each, now) && (best == null || Shares.isBefore(each, best))) {
                best = each;
            }
        }
        if (best != null && shares.active() > 1) {
            shares.limitCredit(best);
        }
        return best;
    }

    private boolean mayRun(Share share, long now) {
        return share.waiting > 0
                && !share.spent
                && share.running < share.entitlement.seats()
                && !isShutOut(share, now);
    }

    /** Whether somebody else has the device to itself. */
    private boolean isShutOut(Share share, long now) {
        expireTurn(now);
        return turn.shutsOut(share);
    }

    /**
     * Asks the work that is least entitled to its seat to make room, when nobody's seat is free.
     */
    private void disturb(Share share, long now) {
        if (shares.active() == 1 || isAnySeatFree()) {
            return;
        }
        chargeAll(now);
        int victim = -1;
        for (int seat = 0; seat < seats; seat++) {
            Share sitting = sitting(seat);
            if (sitting != share
                    && deadlines.get(seat) > now
                    && (victim < 0 || Shares.isBefore(sitting(victim), sitting))) {
                victim = seat;
            }
        }
        if (victim < 0) {
            return;
        }
        Share sitting = sitting(victim);
        if (share.rank() > sitting.rank()) {
            deadlines.set(victim, now);
        } else if (share.rank() == sitting.rank()
                && !turn.isHeldBy(sitting)
                && share.served + NOTABLE / Math.min(1, shares.part(sitting)) < sitting.served) {
            deadlines.set(
                    victim,
                    Math.min(deadlines.get(victim), Math.max(now, began[victim] + LEAST_RUN)));
        }
    }

    private boolean isAnySeatFree() {
        for (Share each : on) {
            if (each == null) {
                return true;
            }
        }
        return false;
    }

    private Share sitting(int seat) {
        Share share = on[seat];
        if (share == null) {
            throw new IllegalStateException("nobody is on seat " + seat);
        }
        return share;
    }

    private void extend(int seat, Share share, long now) {
        long most = Math.min(QUANTUM, Math.max(SOON, share.lasts()));
        long deadline = now + most;
        if (turn.isHeldBy(share)) {
            deadline = Math.min(deadline, Math.max(turn.ends(), now + SOON));
        }
        deadlines.set(seat, deadline);
    }

    // ---- accounts

    private void chargeAll(long now) {
        for (int seat = 0; seat < seats; seat++) {
            charge(seat, now);
        }
    }

    private void charge(int seat, long now) {
        if (byClock) {
            payUpTo(seat, now);
        }
    }

    private void payUpTo(int seat, long now) {
        Share share = on[seat];
        if (share != null && now > chargedUpTo[seat]) {
            long nanos = now - chargedUpTo[seat];
            chargedUpTo[seat] = now;
            pay(share, nanos, now);
        }
    }

    private void pay(Share share, long nanos, long now) {
        share.earn(parallel, now);
        share.spend(parallel, nanos);
        share.served += nanos / shares.part(share);
        turn.charge(share, nanos);
    }

    // ---- turns

    private void beginTurn(Share share, long now) {
        if (turn.isHeldBy(share)) {
            turn.goesOn();
            return;
        }
        endTurn(now);
        turn.begin(share, now);
        for (int seat = 0; seat < seats; seat++) {
            Share sitting = on[seat];
            if (sitting != null && turn.shutsOut(sitting)) {
                deadlines.set(seat, now);
            }
        }
    }

    private void expireTurn(long now) {
        if (turn.isHeld() && now >= turn.over()) {
            endTurn(now);
        }
    }

    private void endTurn(long now) {
        if (turn.isHeld()) {
            chargeAll(now);
            Share holder = turn.end();
            if (holder != null) {
                holder.served += turn.unused(now) / shares.part(holder);
            }
        }
    }
}
