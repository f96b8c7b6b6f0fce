package facet.node.sharing;

import facet.host.lease.SeatPage;
import facet.sched.Board;

/**
 * A worker process that borrows seats of one device, as the daemon sees it. Nothing that its page
 * says counts for more than it could have done honestly. The device's monitor guards all.
 */
final class Borrower {
    private final DeviceSharing.Member member;
    private final SeatPage page;
    private final long[] lookedAt;
    private final long[] busySeen;
    private final long[] idleSince;
    private final long[] revokedAt;

    /** Seats that were given to others because it did not give them back in time. */
    private final boolean[] overstays;

    private boolean contended;

    Borrower(DeviceSharing.Member member, SeatPage page) {
        this.member = member;
        this.page = page;
        int seats = page.seats();
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

    void lend(int seat, long now) {
        lookedAt[seat] = now;
        busySeen[seat] = page.busy(seat, now);
        idleSince[seat] = now;
        revokedAt[seat] = SeatPage.NEVER;
        page.lend(seat);
    }

    /**
     * Charges for a seat that it has, up to now: while others wait for it, for the time that it has
     * it; else for the time that it says to have worked. False: it has given the seat back.
     */
    boolean look(int seat, Board board, long now) {
        long elapsed = Math.max(0, now - lookedAt[seat]);
        long busy = page.busy(seat, now);
        long worked = contended ? elapsed : Math.clamp(busy - busySeen[seat], 0, elapsed);
        boolean idle = isIdle(seat) && busy == busySeen[seat];
        idleSince[seat] = idle ? Math.min(idleSince[seat], lookedAt[seat]) : now;
        lookedAt[seat] = now;
        busySeen[seat] = busy;
        board.excuse(seat, elapsed - worked, now);
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
            if (overstays[seat]) {
                wanted = 0;
            }
        }
        int change = Math.max(0, wanted) - member.waiting();
        if (change != 0) {
            board.waiting(member, change, now);
        }
    }

    /** What is known of it now that seats have changed hands. */
    void tellKnown() {
        page.know(member.waiting());
    }

    void tellContended(boolean others) {
        if (others != contended) {
            contended = others;
            page.contend(others);
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
        return idleSince[seat] + Lending.LINGER;
    }

    boolean isRevoked(int seat) {
        return revokedAt[seat] != SeatPage.NEVER;
    }

    void revoke(int seat, long now) {
        revokedAt[seat] = now;
        page.revoke(seat, now);
    }

    /** When a revoked seat goes to another, whether it is given back or not. */
    long patience(int seat) {
        return revokedAt[seat] + Lending.PATIENCE;
    }

    void overstay(int seat) {
        overstays[seat] = true;
    }

    /** What it did on seats that are not its own any more is charged all the same. */
    void billOverstays(Board board, long now) {
        for (int seat = 0; seat < overstays.length; seat++) {
            if (overstays[seat]) {
                board.bill(member, Math.max(0, now - lookedAt[seat]), now);
                lookedAt[seat] = now;
                overstays[seat] = page.state(seat) != SeatPage.AWAY && !page.take(seat);
            }
        }
    }

    boolean overstaysAnywhere() {
        for (boolean each : overstays) {
            if (each) {
                return true;
            }
        }
        return false;
    }
}
