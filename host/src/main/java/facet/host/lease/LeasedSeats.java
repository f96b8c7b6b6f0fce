package facet.host.lease;

import facet.device.Arbiter;
import facet.os.Bell;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Seats of a device that the daemon lends to this process. Work runs where a seat is lent; where
 * none is, the daemon is asked for one. Between pieces of work a seat is kept while nobody else
 * wants it, so that short kernels cost no word to the daemon.
 */
public final class LeasedSeats implements Arbiter {
    /** Work of this process takes turns on a seat, as it does on the daemon's board. */
    private static final long OWN_QUANTUM = 20_000_000;

    /**
     * While others wait a seat is kept so long without work: between two kernels there is less, and
     * changing hands costs as much. It is paid for.
     */
    private static final long LINGER_NANOS = 50_000;

    private final Share everybody = new Share() {};
    private final SeatPage page;
    private final Bell bell;
    private final AtomicLongArray ownTurns;
    private int waiting;
    private volatile boolean news;

    /**
     * @param bell the daemon's, to be rung when the page says something new
     */
    public LeasedSeats(SeatPage page, Bell bell) {
        this.page = page;
        this.bell = bell;
        ownTurns = new AtomicLongArray(page.seats());
    }

    @Override
    public Share unnamed() {
        return everybody;
    }

    @Override
    public void waiting(Share share, int change, long now) {
        waiting += change;
        page.want(waiting);
        if (change > 0) {
            askForSeats();
        }
    }

    private void askForSeats() {
        int missing = Math.min(waiting, page.seats()) - usable();
        if (missing > page.known()) {
            news = true;
        }
    }

    @Override
    public void tell() {
        if (news) {
            news = false;
            bell.ring();
        }
    }

    private int usable() {
        int count = 0;
        for (int seat = 0; seat < page.seats(); seat++) {
            count += isUsable(seat) ? 1 : 0;
        }
        return count;
    }

    private boolean isUsable(int seat) {
        int state = page.state(seat);
        return state == SeatPage.LENT || state == SeatPage.IDLE;
    }

    /** Those who sleep on seats that are ours: whoever was woken for the work has none. */
    private void wakeUsable() {
        for (int seat = 0; seat < page.seats(); seat++) {
            if (isUsable(seat)) {
                page.wake(seat);
            }
        }
    }

    @Override
    public @Nullable Share pick(int seat, long now) {
        if (waiting == 0) {
            return null;
        }
        if (!page.change(seat, SeatPage.IDLE, SeatPage.BUSY)
                && !page.change(seat, SeatPage.LENT, SeatPage.BUSY)) {
            // The daemon may have taken the seat that this work was to have, or it is another's.
            askForSeats();
            wakeUsable();
            return null;
        }
        page.begin(seat, now);
        ownTurns.set(seat, now + OWN_QUANTUM);
        waiting--;
        page.want(waiting);
        return everybody;
    }

    @Override
    public long deadline(int seat) {
        return Math.min(page.revoked(seat), ownTurns.get(seat));
    }

    @Override
    public boolean givesWay(int seat, long now) {
        if (page.state(seat) != SeatPage.BUSY) {
            return false; // stopped work ends without a seat
        }
        if (page.revoked(seat) <= now || waiting > 0 && now >= ownTurns.get(seat)) {
            return true;
        }
        ownTurns.set(seat, now + OWN_QUANTUM);
        return false;
    }

    @Override
    public void release(int seat, long now) {
        if (page.state(seat) != SeatPage.BUSY) {
            return; // stopped work has ended, which needed no seat
        }
        page.end(seat, now);
        if (page.revoked(seat) == SeatPage.NEVER) {
            page.change(seat, SeatPage.BUSY, SeatPage.IDLE);
        } else if (page.change(seat, SeatPage.BUSY, SeatPage.AWAY)) {
            news = true;
        }
    }

    @Override
    public long nextPick(long now) {
        return SeatPage.NEVER;
    }

    /** Shares change in the daemon, which lends seats or takes them. */
    @Override
    public void whenChanged(Runnable action) {}

    // ---- sleeping

    @Override
    public int wakes(int seat) {
        return page.wakes(seat);
    }

    /** Without a seat there is nothing to look for. */
    @Override
    public boolean maySpin(int seat) {
        return page.state(seat) != SeatPage.AWAY;
    }

    @Override
    public void sleep(int seat, int seen, long nanos) {
        if (page.isContended() && isUsable(seat)) {
            page.sleep(seat, seen, Math.min(nanos, LINGER_NANOS));
            if (page.wakes(seat) == seen && page.take(seat)) {
                bell.ring();
            }
        } else {
            page.sleep(seat, seen, nanos);
        }
    }

    /** One that has no seat by now does not sleep. */
    @Override
    public void wake(int seat, Thread sleeper) {
        if (seat >= 0) {
            page.wake(seat);
        }
    }
}
