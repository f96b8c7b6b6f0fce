package facet.node.sharing;

import facet.device.Arbiter;
import facet.host.lease.SeatPage;
import facet.node.slice.CompileCredit;
import facet.sched.Board;
import facet.sched.Entitlement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The board of one device, for its threads, for worker processes that borrow its seats, and for
 * those who change shares.
 */
public final class DeviceSharing implements Arbiter {
    private final int seats;
    private final boolean onProcessors;
    private final Board board;
    private final Lending lending;
    private final List<OwnSeat> own = new ArrayList<>();
    private final Member unnamed = new Member(Entitlement.REST, false, Optional.empty());
    private volatile Runnable changed = () -> {};
    private volatile Alarm alarm = time -> {};
    private volatile ObjLongConsumer<Member> newcomers = (member, nanos) -> {};

    /** Somebody who calls {@link #attend} at a time, or earlier. */
    interface Alarm {
        void by(long time);
    }

    /** A slice on this device. */
    static final class Member extends facet.sched.Share implements Arbiter.Share {
        private final boolean remote;
        private final Optional<String> codeName;
        private final CompileCredit credit = new CompileCredit(System.nanoTime());
        private final List<Borrower> borrowers = new ArrayList<>();

        Member(Entitlement entitlement, boolean remote, Optional<String> codeName) {
            super(entitlement, remote);
            this.remote = remote;
            this.codeName = codeName;
        }

        @Override
        public Optional<String> codeName() {
            return codeName;
        }

        CompileCredit credit() {
            return credit;
        }

        /** Whether its work is in another process; several where programs have the driver. */
        boolean isLent() {
            return !borrowers.isEmpty();
        }

        /**
         * Whose turn it is of those that wait; null: none does, or what waits is in this process.
         */
        @Nullable Borrower nextBorrower() {
            Borrower next = null;
            for (Borrower each : borrowers) {
                if (each.isWaiting() && (next == null || each.lastLent() < next.lastLent())) {
                    next = each;
                }
            }
            return next;
        }

        /** Whether another process of the slice waits for a seat. */
        boolean othersWait(Borrower borrower) {
            for (Borrower each : borrowers) {
                if (each != borrower && each.isWaiting()) {
                    return true;
                }
            }
            return false;
        }

        void borrow(Borrower process) {
            borrowers.add(process);
        }

        void giveUp(Borrower process) {
            borrowers.remove(process);
        }
    }

    /**
     * @param seats of the device
     */
    public DeviceSharing(int seats) {
        this(seats, true, new Board(seats));
    }

    /**
     * Of a device that can only delay launches.
     *
     * @param launches that may be under way
     */
    public static DeviceSharing ofLaunches(int launches) {
        return new DeviceSharing(launches, false, Board.ofLaunches(launches));
    }

    /**
     * Of a device whose time is lent as a whole, to one process after the other: programs that have
     * the vendor's driver in them.
     */
    public static DeviceSharing ofTime() {
        return ofLaunches(1);
    }

    private DeviceSharing(int seats, boolean onProcessors, Board board) {
        this.seats = seats;
        this.onProcessors = onProcessors;
        this.board = board;
        lending = new Lending(board, seats);
        for (int number = 0; number < seats; number++) {
            own.add(new OwnSeat(number));
        }
        board.join(unnamed, System.nanoTime());
    }

    /** Whether whoever has it has all of it. */
    boolean isWhole() {
        return seats == 1 && !onProcessors;
    }

    int seats() {
        return seats;
    }

    /** Whether its work is done by processors, where it can be interrupted. */
    boolean isOnProcessors() {
        return onProcessors;
    }

    // ---- who shares

    /**
     * @param remote whether its work is in a process of its own
     * @param codeName under which its code is kept, if it is not its own alone
     */
    synchronized Member join(Entitlement entitlement, boolean remote, Optional<String> codeName) {
        Member member = new Member(entitlement, remote, codeName);
        board.join(member, System.nanoTime());
        return member;
    }

    void change(Member member, Entitlement entitlement) {
        synchronized (this) {
            long now = look();
            board.change(member, entitlement, now);
            settle(now);
        }
        changed.run();
    }

    void leave(Member member) {
        boolean own;
        synchronized (this) {
            long now = look();
            board.leave(member, now);
            own = settle(now); // it may have shut others out
        }
        if (own) {
            changed.run();
        }
    }

    synchronized long used(Member member) {
        return board.used(member, look());
    }

    /** Seats that it has a right to beside those who are active now. */
    synchronized double part(Member member) {
        return board.part(member);
    }

    synchronized long waited(Member member) {
        return member.waited(System.nanoTime());
    }

    // ---- those in other processes

    void alarm(Alarm other) {
        alarm = other;
    }

    /** The work of a share is in a process from now on that sees this page. */
    synchronized Borrower lendTo(Member member, SeatPage page) {
        if (!member.remote || member.isLent()) {
            throw new IllegalStateException("the share has its work elsewhere");
        }
        return lendTo(member, page, Borrower.Manners.WORKER);
    }

    /** The same for one of the slice's programs that has the vendor's driver in it. */
    synchronized Borrower lendToProgram(Member member, SeatPage page) {
        return lendTo(member, page, Borrower.Manners.PROGRAM);
    }

    private Borrower lendTo(Member member, SeatPage page, Borrower.Manners manners) {
        Borrower borrower = new Borrower(member, page, manners);
        member.borrow(borrower);
        lending.add(borrower);
        return borrower;
    }

    /** The process has ended. */
    void endLending(Borrower borrower) {
        boolean own;
        synchronized (this) {
            long now = System.nanoTime();
            lending.remove(borrower, now);
            borrower.member().giveUp(borrower);
            own = settle(now);
        }
        if (own) {
            changed.run();
        }
    }

    /**
     * Lends and takes back what is due.
     *
     * @return when that is to be done again
     */
    long attend() {
        boolean own;
        long next;
        synchronized (this) {
            long now = look();
            own = lending.settle(now);
            next = lending.nextLook(now);
        }
        if (own) {
            changed.run();
        }
        return next;
    }

    /** Whether it keeps seats that others have by now. */
    synchronized boolean overstays(Borrower borrower) {
        return borrower.overstays() > 0;
    }

    /** Device time that a process was charged for. */
    synchronized long charged(Borrower borrower) {
        look();
        return borrower.charged();
    }

    /** Work for a share that ran on no seat. */
    synchronized void bill(Member member, long nanos) {
        board.bill(member, nanos, look());
    }

    private long look() {
        long now = System.nanoTime();
        lending.look(now);
        return now;
    }

    private boolean settle(long now) {
        if (lending.isEmpty()) {
            return false;
        }
        boolean own = lending.settle(now);
        alarm.by(lending.nextLook(now));
        return own;
    }

    // ---- what the device asks

    @Override
    public Share unnamed() {
        return unnamed;
    }

    @Override
    public synchronized void submit(Share share, int change, long now) {
        lending.look(now);
        board.waiting((Member) share, change, now);
        settle(now);
    }

    private synchronized @Nullable Share mayRun(int seat, long now) {
        if (lending.isEmpty()) {
            return (Member) board.pick(seat, now);
        }
        lending.look(now);
        settle(now);
        if (lending.isLent(seat) || !board.isFree(seat)) {
            return null;
        }
        // What is free now is free for work of this process, or for nobody's.
        Member next = (Member) board.peek(seat, now);
        if (next == null || next.remote) {
            return null;
        }
        board.sit(seat, next, now);
        return next;
    }

    private synchronized boolean givesWay(int seat, long now) {
        lending.look(now);
        return !lending.isLent(seat) && board.givesWay(seat, now);
    }

    private synchronized void ended(int seat, long now) {
        lending.look(now);
        // Stopped work ends on any seat, also on one that a worker has: that stays the worker's.
        if (!lending.isLent(seat)) {
            board.release(seat, now);
            settle(now); // its thread may not ask again, and a worker may wait
        }
    }

    private synchronized void ended(int seat, long now, long nanos) {
        lending.look(now);
        if (!lending.isLent(seat)) {
            board.release(seat, nanos, now);
            settle(now);
        }
    }

    private synchronized long nextLook(long now) {
        return board.nextPick(now);
    }

    @Override
    public Seat seat(int number) {
        return own.get(number);
    }

    /** A seat for work of this process. */
    private final class OwnSeat implements Seat {
        private final int number;

        OwnSeat(int number) {
            this.number = number;
        }

        @Override
        public @Nullable Share mayRun(long now) {
            return DeviceSharing.this.mayRun(number, now);
        }

        @Override
        public long deadline() {
            return board.deadline(number);
        }

        @Override
        public boolean givesWay(long now) {
            return DeviceSharing.this.givesWay(number, now);
        }

        @Override
        public void ended(long now) {
            DeviceSharing.this.ended(number, now);
        }

        @Override
        public void ended(long now, long nanos) {
            DeviceSharing.this.ended(number, now, nanos);
        }

        @Override
        public long nextLook(long now) {
            return DeviceSharing.this.nextLook(now);
        }
    }

    @Override
    public void codeMade(Share share, long nanos) {
        newcomers.accept((Member) share, nanos);
    }

    /**
     * @param listener told who has new code, and how long it took to make; without the monitor
     */
    void whenCodeIsMade(ObjLongConsumer<Member> listener) {
        newcomers = listener;
    }

    @Override
    public void whenChanged(Runnable action) {
        changed = action;
    }
}
