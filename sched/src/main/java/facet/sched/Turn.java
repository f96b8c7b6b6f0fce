package facet.sched;

import org.jspecify.annotations.Nullable;

/** The exclusive turn of a device: while it lasts, only its holder and higher ranks run. */
@SuppressWarnings("ReferenceEquality") // a share is itself, whatever it looks like
final class Turn {
    /** For how long a turn goes on without work. */
    static final long IDLE = 1_000_000;

    private final int seats;
    private @Nullable Share holder;
    private long began;
    private long ends;
    private long idleSince;
    private long charged;

    Turn(int seats) {
        this.seats = seats;
    }

    boolean isHeld() {
        return holder != null;
    }

    boolean isHeldBy(Share share) {
        return holder == share;
    }

    boolean shutsOut(Share share) {
        return holder != null && holder != share && share.rank() <= holder.rank();
    }

    void begin(Share share, long now) {
        holder = share;
        began = now;
        ends = now + share.entitlement.turn();
        idleSince = Board.NEVER;
        charged = 0;
    }

    void charge(Share share, long nanos) {
        if (holder == share) {
            charged += nanos;
        }
    }

    /** The holder has work again. */
    void goesOn() {
        idleSince = Board.NEVER;
    }

    void idle(long now) {
        idleSince = now;
    }

    /** When it ends at the latest. */
    long ends() {
        return ends;
    }

    /** When it ends if nothing happens. */
    long over() {
        return Math.min(ends, idleSince + IDLE);
    }

    /** Ends it: who had it, or nobody. */
    @Nullable Share end() {
        Share had = holder;
        holder = null;
        return had;
    }

    /** Device time of seats that stayed empty in the turn that has ended: nobody else had it. */
    double unused(long now) {
        return Math.max(0, (double) seats * (now - began) - charged);
    }
}
