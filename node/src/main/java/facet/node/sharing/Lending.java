package facet.node.sharing;

import facet.host.lease.SeatPage;
import facet.sched.Board;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The seats of a board that are lent to other processes. The device's monitor guards all; whoever
 * holds it and changes the board calls {@link #look} before and {@link #settle} after.
 */
final class Lending {
    /** Processes of one slice take turns on a seat, as its work in one process does. */
    static final long OWN_QUANTUM = 20_000_000;

    private static final long SOON = 1_000_000;

    private final Board board;
    private final @Nullable Borrower[] lent;
    private final List<Borrower> borrowers = new ArrayList<>();

    Lending(Board board, int seats) {
        this.board = board;
        lent = new Borrower[seats];
    }

    boolean isEmpty() {
        return borrowers.isEmpty();
    }

    boolean isLent(int seat) {
        return lent[seat] != null;
    }

    void add(Borrower borrower) {
        borrowers.add(borrower);
    }

    /** Its process has ended, or is about to. */
    void remove(Borrower borrower, long now) {
        look(now);
        borrowers.remove(borrower);
        for (int seat = 0; seat < lent.length; seat++) {
            if (lent[seat] == borrower) {
                giveBack(seat, now);
            }
        }
        borrower.forgetWaiting(board, now);
    }

    private void giveBack(int seat, long now) {
        board.release(seat, now);
        lent[seat] = null;
    }

    /** Charges what runs on lent seats, and sees which have been given back. */
    void look(long now) {
        int late = overstays();
        for (int seat = 0; seat < lent.length; seat++) {
            Borrower borrower = lent[seat];
            if (borrower != null && !borrower.look(seat, board, 1 + late, now)) {
                giveBack(seat, now);
            }
        }
    }

    /**
     * Those who share a device of one seat with whoever has the seat now. Where a device has more,
     * who keeps one too long is in the way of somebody, but it is not known of whom.
     */
    private int overstays() {
        int count = 0;
        for (int i = 0; i < borrowers.size() && lent.length == 1; i++) {
            count += borrowers.get(i).overstays();
        }
        return count;
    }

    private void has(Borrower borrower, boolean[] has) {
        for (int seat = 0; seat < lent.length; seat++) {
            has[seat] = lent[seat] == borrower;
        }
    }

    /**
     * Takes back what is due and lends what is free.
     *
     * @return whether a seat is free for work of this process
     */
    boolean settle(long now) {
        tellWaiting(now);
        boolean taken = false;
        for (int seat = 0; seat < lent.length; seat++) {
            Borrower borrower = lent[seat];
            taken |= borrower != null && takeBack(seat, borrower, now);
        }
        if (taken) {
            tellWaiting(now);
        }
        boolean own = false;
        for (int seat = 0; seat < lent.length; seat++) {
            own |= board.isFree(seat) && !offer(seat, now);
        }
        int active = 0;
        for (Borrower each : borrowers) {
            active += each.wasActive(now) ? 1 : 0;
        }
        for (Borrower each : borrowers) {
            each.tellKnown(now);
            each.tellContended(othersWait(each));
            each.tellCompany(active - (each.wasActive(now) ? 1 : 0) > 0);
        }
        return own;
    }

    private void tellWaiting(long now) {
        int parties = overstays() + (lent[0] == null ? 0 : 1);
        boolean[] has = new boolean[lent.length];
        for (Borrower each : borrowers) {
            has(each, has);
            each.billOverstays(board, lent.length == 1 ? parties : 1, now);
            each.billStrays(board, has, now);
            each.tellWaiting(board, has, now);
        }
    }

    private boolean takeBack(int seat, Borrower borrower, long now) {
        if (!borrower.isRevoked(seat)) {
            boolean idle = borrower.isIdle(seat) && now >= borrower.idleUntil(seat);
            boolean due =
                    idle && othersWait(borrower)
                            || ownTurnEnds(seat, borrower) <= now
                            || board.deadline(seat) <= now && board.givesWay(seat, now);
            if (!due) {
                return false;
            }
            borrower.revoke(seat, now);
        }
        // Where nothing runs it is taken. The worker may just have ended its work without seeing
        // that the seat is asked back, so this comes behind it, and each time.
        if (!borrower.page().take(seat)) {
            if (now < borrower.patience(seat)) {
                return false;
            }
            borrower.overstay(seat);
        }
        giveBack(seat, now);
        return true;
    }

    private boolean othersWait(Borrower borrower) {
        return board.othersWait(borrower.member()) || borrower.member().othersWait(borrower);
    }

    /** When a seat goes to another process of the same slice; NEVER while none waits. */
    private static long ownTurnEnds(int seat, Borrower borrower) {
        return borrower.member().othersWait(borrower)
                ? borrower.lentAt(seat) + OWN_QUANTUM
                : SeatPage.NEVER;
    }

    /** False when work of this process is next: its own threads take it. */
    private boolean offer(int seat, long now) {
        DeviceSharing.Member next = (DeviceSharing.Member) board.peek(seat, now);
        if (next == null) {
            return true;
        }
        Borrower borrower = next.nextBorrower();
        if (borrower == null) {
            return false;
        }
        board.sit(seat, next, now);
        lent[seat] = borrower;
        borrower.lend(seat, now);
        return true;
    }

    /** When this is to be looked at again although nothing happens. */
    long nextLook(long now) {
        if (borrowers.isEmpty()) {
            return SeatPage.NEVER;
        }
        long next = board.nextPick(now);
        for (int seat = 0; seat < lent.length; seat++) {
            Borrower borrower = lent[seat];
            if (borrower == null) {
                continue;
            }
            if (borrower.isRevoked(seat)) {
                next = Math.min(next, borrower.patience(seat));
            } else if (!board.mayStay(seat)) {
                next = Math.min(next, board.deadline(seat));
            }
            if (!borrower.isRevoked(seat)) {
                next = Math.min(next, ownTurnEnds(seat, borrower));
            }
            if (borrower.isIdle(seat) && othersWait(borrower)) {
                next = Math.min(next, borrower.idleUntil(seat));
            }
        }
        for (Borrower each : borrowers) {
            if (each.overstays() > 0) {
                next = Math.min(next, now + SOON);
            }
        }
        return next;
    }
}
