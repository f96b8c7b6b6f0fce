package facet.sched;

import java.util.ArrayList;
import java.util.List;

/** All who share a device: how many are active, what part each has, and how far each is. */
@SuppressWarnings("ReferenceEquality") // a share is itself, whatever it looks like
final class Shares {
    /** Time that was not wanted is not saved up, but for this much of it. */
    static final long CREDIT = 20_000_000;

    private static final double LEAST_REST = 0.01;

    private final int parallel;
    private final List<Share> all = new ArrayList<>();
    private int active;

    /**
     * @param parallel seats whose work runs at the same time
     */
    Shares(int parallel) {
        this.parallel = parallel;
    }

    void add(Share share) {
        all.add(share);
    }

    void remove(Share share) {
        all.remove(share);
    }

    List<Share> all() {
        return all;
    }

    /** How many of them have work. Beside nobody there is little to decide. */
    int active() {
        return active;
    }

    /** Call after each change of what waits and runs. */
    void noteActive(Share share, boolean before) {
        if (before != share.isActive()) {
            active += before ? -1 : 1;
        }
    }

    /** Whether somebody else than this one waits for a seat. */
    boolean othersWait(Share share) {
        for (Share each : all) {
            if (each != share && each.waiting > 0) {
                return true;
            }
        }
        return false;
    }

    static boolean isBefore(Share one, Share other) {
        return one.rank() != other.rank() ? one.rank() > other.rank() : one.served < other.served;
    }

    /** One that cannot use all that is its own does not save it up. */
    void limitCredit(Share share) {
        share.served = Math.max(share.served, mostServed(share) - 3 * credit(share));
    }

    /** The most that an equal was served, but for its own credit. */
    private double mostServed(Share share) {
        double most = share.served;
        for (Share each : all) {
            if (each != share && each.isActive() && each.rank() == share.rank()) {
                most = Math.max(most, each.served - credit(each));
            }
        }
        return most;
    }

    /** How far from the others it may be: no less than some turns of its own. */
    private double credit(Share share) {
        return CREDIT + 2 * Math.max(Board.QUANTUM, share.overrun) / part(share);
    }

    /** Seats that a share has a right to beside those who are active now. */
    double part(Share share) {
        if (share.rank() != Entitlement.BY_SHARE) {
            return parallel;
        }
        if (share.entitlement.guarantee() > 0) {
            return share.entitlement.guarantee() * parallel;
        }
        double promised = 0;
        int rest = 0;
        for (Share each : all) {
            if (each.rank() == Entitlement.BY_SHARE) {
                promised += each.entitlement.guarantee();
                rest += each.entitlement.guarantee() == 0 && each.isActive() ? 1 : 0;
            }
        }
        return Math.max(LEAST_REST, 1 - promised) / Math.max(1, rest) * parallel;
    }

    /** Somebody who was idle has no claim to the time that passed, but for a little credit. */
    void catchUp(Share share) {
        share.served = Math.max(share.served, reference(share) - credit(share));
    }

    /** How far equals have been served: the least of those who are active, else the most. */
    double reference(Share share) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (Share each : all) {
            if (each != share && each.rank() == share.rank()) {
                most = Math.max(most, each.served);
                least = each.isActive() ? Math.min(least, each.served) : least;
            }
        }
        return least == Double.POSITIVE_INFINITY ? most : least;
    }
}
