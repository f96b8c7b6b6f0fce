package facet.node.sharing;

import facet.device.Arbiter;
import facet.sched.Board;
import facet.sched.Entitlement;
import org.jspecify.annotations.Nullable;

/** The board of one device, for its threads and for those who change shares. */
public final class DeviceSharing implements Arbiter {
    private final Board board;
    private final Member unnamed = new Member(Entitlement.REST);
    private volatile Runnable changed = () -> {};

    /** A slice on this device. */
    static final class Member extends facet.sched.Share implements Arbiter.Share {
        private Member(Entitlement entitlement) {
            super(entitlement);
        }
    }

    /**
     * @param seats of the device
     */
    public DeviceSharing(int seats) {
        board = new Board(seats);
        board.join(unnamed, System.nanoTime());
    }

    // ---- who shares

    synchronized Member join(Entitlement entitlement) {
        Member member = new Member(entitlement);
        board.join(member, System.nanoTime());
        return member;
    }

    void change(Member member, Entitlement entitlement) {
        synchronized (this) {
            board.change(member, entitlement, System.nanoTime());
        }
        changed.run();
    }

    synchronized void leave(Member member) {
        board.leave(member, System.nanoTime());
    }

    synchronized long used(Member member) {
        return board.used(member, System.nanoTime());
    }

    synchronized long waited(Member member) {
        return member.waited(System.nanoTime());
    }

    // ---- what the device asks

    @Override
    public Share unnamed() {
        return unnamed;
    }

    @Override
    public synchronized void waiting(Share share, int change, long now) {
        board.waiting((Member) share, change, now);
    }

    @Override
    public synchronized @Nullable Share pick(int seat, long now) {
        return (Member) board.pick(seat, now);
    }

    @Override
    public long deadline(int seat) {
        return board.deadline(seat);
    }

    @Override
    public synchronized boolean givesWay(int seat, long now) {
        return board.givesWay(seat, now);
    }

    @Override
    public synchronized void release(int seat, long now) {
        board.release(seat, now);
    }

    @Override
    public synchronized long nextPick(long now) {
        return board.nextPick(now);
    }

    @Override
    public void whenChanged(Runnable action) {
        changed = action;
    }
}
