package facet.host.lease;

import facet.device.Arbiter;
import facet.os.Bell;
import java.util.ArrayList;
import java.util.List;
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
    private final List<LeasedSeat> seats = new ArrayList<>();
    private int waiting;
    private volatile boolean news;

    /**
     * @param bell the daemon's, to be rung when the page says something new
     */
    public LeasedSeats(SeatPage page, Bell bell) {
        this.page = page;
        this.bell = bell;
        for (int number = 0; number < page.seats(); number++) {
            seats.add(new LeasedSeat(number));
        }
    }

    @Override
    public Share unnamed() {
        return everybody;
    }

    @Override
    public synchronized void submit(Share share, int change, long now) {
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
        for (LeasedSeat each : seats) {
            count += each.isUsable() ? 1 : 0;
        }
        return count;
    }

    /** Those who sleep on seats that are ours: whoever was woken for the work has none. */
    private void wakeUsable() {
        for (LeasedSeat each : seats) {
            if (each.isUsable()) {
                page.wake(each.number);
            }
        }
    }

    private synchronized boolean begin(int number, long now) {
        if (waiting == 0) {
            return false;
        }
        if (!page.change(number, SeatPage.IDLE, SeatPage.BUSY)
                && !page.change(number, SeatPage.LENT, SeatPage.BUSY)) {
            // The daemon may have taken the seat that this work was to have, or it is another's.
            askForSeats();
            wakeUsable();
            return false;
        }
        page.begin(number, now);
        waiting--;
        page.want(waiting);
        return true;
    }

    private synchronized boolean isWorkWaiting() {
        return waiting > 0;
    }

    /** Shares change in the daemon, which lends seats or takes them. */
    @Override
    public void whenChanged(Runnable action) {}

    @Override
    public Seat seat(int number) {
        return seats.get(number);
    }

    /** One that the daemon lends. */
    private final class LeasedSeat implements Seat {
        private final int number;

        /** When work of this process that waits is to have the seat. */
        private volatile long ownTurn;

        LeasedSeat(int number) {
            this.number = number;
        }

        private boolean isUsable() {
            int state = page.state(number);
            return state == SeatPage.LENT || state == SeatPage.IDLE;
        }

        @Override
        public @Nullable Share mayRun(long now) {
            if (!begin(number, now)) {
                return null;
            }
            ownTurn = now + OWN_QUANTUM;
            return everybody;
        }

        @Override
        public long deadline() {
            return Math.min(page.revoked(number), ownTurn);
        }

        @Override
        public boolean givesWay(long now) {
            if (page.state(number) != SeatPage.BUSY) {
                return false; // stopped work ends without a seat
            }
            if (page.revoked(number) <= now || now >= ownTurn && isWorkWaiting()) {
                return true;
            }
            ownTurn = now + OWN_QUANTUM;
            return false;
        }

        @Override
        public void ended(long now) {
            end(now);
        }

        /** The daemon looks at when it began and ended: it ends as late as was measured. */
        @Override
        public void ended(long now, long nanos) {
            end(Math.min(now, page.began(number) + Math.max(0, nanos)));
        }

        private void end(long until) {
            if (page.state(number) != SeatPage.BUSY) {
                return; // stopped work has ended, which needed no seat
            }
            page.end(number, until);
            if (page.revoked(number) == SeatPage.NEVER) {
                page.change(number, SeatPage.BUSY, SeatPage.IDLE);
            } else if (page.change(number, SeatPage.BUSY, SeatPage.AWAY)) {
                news = true;
            }
        }

        @Override
        public long nextLook(long now) {
            return SeatPage.NEVER;
        }

        /** It goes back unless work comes, see {@link #sleep}. */
        @Override
        public boolean isAskedFor() {
            return page.isContended() && isUsable();
        }

        @Override
        public int wakes() {
            return page.wakes(number);
        }

        /** Without a seat there is nothing to look for. */
        @Override
        public boolean maySpin() {
            return page.state(number) != SeatPage.AWAY;
        }

        @Override
        public void sleep(int seen, long nanos) {
            if (isAskedFor()) {
                page.sleep(number, seen, Math.min(nanos, LINGER_NANOS));
                if (page.wakes(number) == seen && page.take(number)) {
                    bell.ring();
                }
            } else {
                page.sleep(number, seen, nanos);
            }
        }

        @Override
        public void wake(Thread sleeper) {
            page.wake(number);
        }
    }
}
