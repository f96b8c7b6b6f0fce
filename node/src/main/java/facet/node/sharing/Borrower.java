package facet.node.sharing;

import facet.host.lease.SeatPage;
import facet.sched.Board;

/**
 * A process that borrows seats of one device, as the daemon sees it. Nothing that its page says
 * counts for more than it could have done honestly. The device's monitor guards all.
 */
final class Borrower {
    /**
     * What can be expected of it.
     *
     * @param linger for how long a seat on which its work has just ended is left to it: more may
     *     come
     * @param patience after which a seat that was asked back and is not given back goes to another,
     *     beside it
     * @param manyThreads whether several of its threads sleep on a seat
     */
    record Manners(long linger, long patience, boolean manyThreads) {
        /** A worker makes room within a millisecond. */
        static final Manners WORKER = new Manners(50_000, 20_000_000, false);

        /**
         * A program with the vendor's driver in it. What it has begun goes on to its end; a longer
         * one shares the device with the next, as the device does that by itself.
         */
        static final Manners PROGRAM = new Manners(100_000, 100_000_000, true);
    }

    /** Who worked within this time may come again: what others give to the device is short then. */
    private static final long RECENT = 10_000_000_000L;

    private final DeviceSharing.Member member;
    private final SeatPage page;
    private final Manners manners;
    private final long[] lentAt;
    private final long[] lookedAt;
    private final long[] busySeen;
    private final long[] idleSince;
    private final long[] revokedAt;

    /** Seats that were given to others because it did not give them back in time. */
    private final boolean[] overstays;

    private boolean contended;
    private boolean company;

    /** Pieces of its work that the board knows to wait. */
    private int waiting;

    /** Device time that it was charged for. */
    private long charged;

    Borrower(DeviceSharing.Member member, SeatPage page, Manners manners) {
        this.member = member;
        this.page = page;
        this.manners = manners;
        int seats = page.seats();
        lentAt = new long[seats];
        lookedAt = new long[seats];
        busySeen = new long[seats];
        idleSince = new long[seats];
        revokedAt = new long[seats];
        overstays = new boolean[seats];
    }

    DeviceSharing.Member member() {
        return member;
    }

    SeatPage page() {
        return page;
    }

    boolean isWaiting() {
        return waiting > 0;
    }

    /** When it was last lent a seat; for those who take turns. */
    long lastLent() {
        long last = 0;
        for (long each : lentAt) {
            last = Math.max(last, each);
        }
        return last;
    }

    /** Since when it has a seat that it has. */
    long lentAt(int seat) {
        return lentAt[seat];
    }

    long charged() {
        return charged;
    }

    void lend(int seat, long now) {
        waiting = Math.max(0, waiting - 1);
        lentAt[seat] = now;
        lookedAt[seat] = now;
        busySeen[seat] = page.busy(seat, now);
        idleSince[seat] = now;
        revokedAt[seat] = SeatPage.NEVER;
        overstays[seat] = false;
        page.lend(seat);
        if (manners.manyThreads()) {
            page.wakeAll(seat);
        }
    }

    /**
     * Charges for a seat that it has, up to now: while others wait for it, for the time that it has
     * it; else for the time that it says to have worked. False: it has given the seat back.
     *
     * @param parties that are on the device at once, with those who should have left
     */
    boolean look(int seat, Board board, int parties, long now) {
        long elapsed = Math.max(0, now - lookedAt[seat]);
        long busy = page.busy(seat, now);
        long worked = contended ? elapsed : Math.clamp(busy - busySeen[seat], 0, elapsed);
        boolean idle = isIdle(seat) && busy == busySeen[seat];
        idleSince[seat] = idle ? Math.min(idleSince[seat], lookedAt[seat]) : now;
        lookedAt[seat] = now;
        // What is measured in the end may be less than what it looked like.
        busySeen[seat] = Math.max(busy, busySeen[seat]);
        long due = worked / parties;
        charged += due;
        board.excuse(seat, elapsed - due, now);
        return page.state(seat) != SeatPage.AWAY;
    }

    /** Work that waits for more seats than it can begin on. */
    void tellWaiting(Board board, boolean[] lent, long now) {
        page.know(0);
        int wanted = Math.clamp(page.wanted(), 0, page.seats());
        for (int seat = 0; seat < page.seats(); seat++) {
            int state = page.state(seat);
            if (lent[seat] && (state == SeatPage.LENT || state == SeatPage.IDLE)) {
                wanted--;
            }
            // What a worker has no seat for does not run; a program's may be what others wait for.
            if (overstays[seat] && !manners.manyThreads()) {
                wanted = 0;
            }
        }
        int change = Math.max(0, wanted) - waiting;
        if (change != 0) {
            waiting += change;
            board.waiting(member, change, now);
        }
    }

    /** It leaves: nothing of it waits any more. */
    void forgetWaiting(Board board, long now) {
        if (waiting > 0) {
            board.waiting(member, -waiting, now);
            waiting = 0;
        }
    }

    /** What is known of it now that seats have changed hands. */
    void tellKnown(long now) {
        page.know(waiting);
        page.hear(now);
    }

    void tellContended(boolean others) {
        if (others != contended) {
            contended = others;
            page.contend(others);
        }
    }

    /** Whether it had a seat of late, or waits for one. */
    boolean wasActive(long now) {
        return waiting > 0 || lastLent() > 0 && now - lastLent() < RECENT;
    }

    void tellCompany(boolean others) {
        if (others != company && manners.manyThreads()) {
            company = others;
            page.accompany(others);
        }
    }

    /**
     * Whether it has a seat and nothing to do there; what it was lent for may be done elsewhere.
     */
    boolean isIdle(int seat) {
        int state = page.state(seat);
        return state == SeatPage.IDLE || state == SeatPage.LENT && page.wanted() == 0;
    }

    /** When it has had no work for a seat for so long that others may have it. */
    long idleUntil(int seat) {
        return idleSince[seat] + manners.linger();
    }

    boolean isRevoked(int seat) {
        return revokedAt[seat] != SeatPage.NEVER;
    }

    void revoke(int seat, long now) {
        revokedAt[seat] = now;
        page.revoke(seat, now);
        if (manners.manyThreads()) {
            page.wakeAll(seat); // nobody there looks by itself
        }
    }

    /** When a revoked seat goes to another, whether it is given back or not. */
    long patience(int seat) {
        return revokedAt[seat] + manners.patience();
    }

    void overstay(int seat) {
        overstays[seat] = true;
    }

    /**
     * What it did on seats that are not its own any more is charged all the same.
     *
     * @param parties that are on the device at once
     */
    void billOverstays(Board board, int parties, long now) {
        for (int seat = 0; seat < overstays.length; seat++) {
            if (overstays[seat]) {
                long due = Math.max(0, now - lookedAt[seat]) / Math.max(1, parties);
                charged += due;
                board.bill(member, due, now);
                lookedAt[seat] = now;
                overstays[seat] = page.state(seat) != SeatPage.AWAY && !page.take(seat);
            }
        }
    }

    /** Bills work for which it had no seat at all, by its own books; honest ones have none. */
    void billStrays(Board board, boolean[] lent, long now) {
        for (int seat = 0; manners.manyThreads() && seat < overstays.length; seat++) {
            if (!lent[seat] && !overstays[seat]) {
                long busy = page.busy(seat, now);
                long due = Math.clamp(busy - busySeen[seat], 0, Math.max(0, now - lookedAt[seat]));
                lookedAt[seat] = now;
                busySeen[seat] = Math.max(busy, busySeen[seat]);
                if (due > 0) {
                    charged += due;
                    board.bill(member, due, now);
                }
            }
        }
    }

    int overstays() {
        int count = 0;
        for (boolean each : overstays) {
            count += each ? 1 : 0;
        }
        return count;
    }
}
