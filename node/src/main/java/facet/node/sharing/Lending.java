package facet.node.sharing;

import facet.host.lease.SeatPage;
import facet.sched.Board;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The seats of a board that are lent to worker processes. The device's monitor guards all; whoever
 * holds it and changes the board calls {@link #look} before and {@link #settle} after.
 */
final class Lending {
    /** A seat on which work has just ended is left to its worker so long: more may come. */
    static final long LINGER = 50_000;

    /** A seat that was asked back and is not given back goes to another after that, beside it. */
    static final long PATIENCE = 20_000_000;

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
        int waiting = borrower.member().waiting();
        if (waiting > 0) {
            board.waiting(borrower.member(), -waiting, now);
        }
    }

    private void giveBack(int seat, long now) {
        board.release(seat, now);
        lent[seat] = null;
    }

    /** Charges what runs on lent seats, and sees which have been given back. */
    void look(long now) {
        for (int seat = 0; seat < lent.length; seat++) {
            Borrower borrower = lent[seat];
            if (borrower != null && !borrower.look(seat, board, now)) {
                giveBack(seat, now);
            }
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
        for (Borrower each : borrowers) {
            each.tellKnown();
            each.tellContended(board.othersWait(each.member()));
        }
        return own;
    }

    private void tellWaiting(long now) {
        boolean[] has = new boolean[lent.length];
        for (Borrower each : borrowers) {
            each.billOverstays(board, now);
            for (int seat = 0; seat < lent.length; seat++) {
                has[seat] = lent[seat] == each;
            }
            each.tellWaiting(board, has, now);
        }
    }

    private boolean takeBack(int seat, Borrower borrower, long now) {
        if (!borrower.isRevoked(seat)) {
            boolean idle = borrower.isIdle(seat) && now >= borrower.idleUntil(seat);
            boolean due =
                    idle && board.othersWait(borrower.member())
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

    /** False when work of this process is next: its own threads take it. */
    private boolean offer(int seat, long now) {
        DeviceSharing.Member next = (DeviceSharing.Member) board.peek(seat, now);
        if (next == null) {
            return true;
        }
        Borrower borrower = next.borrower();
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
            if (borrower.isIdle(seat) && board.othersWait(borrower.member())) {
                next = Math.min(next, borrower.idleUntil(seat));
            }
        }
        for (Borrower each : borrowers) {
            if (each.overstaysAnywhere()) {
                next = Math.min(next, now + SOON);
            }
        }
        return next;
    }
}
