package facet.sim;

import facet.place.Ledger;
import facet.place.tide.Tide;
import facet.place.tide.Tides;

/**
 * Pools whose nodes change hands by the time of day, and how much time is given to those that are
 * on them.
 *
 * @param drain seconds before a turn from which nodes that will go take nothing new
 * @param patience seconds after it for which nobody is told to leave
 */
public record Calendar(Tide tide, long drain, long patience) {
    public static final long USUAL_DRAIN = 3600;
    public static final long USUAL_PATIENCE = 3600;

    public Calendar {
        if (drain < 0 || drain >= Tide.DAY || patience < 0 || patience >= Tide.DAY) {
            throw new IllegalArgumentException(
                    "drain %d and patience %d: both are seconds, from 0 to %d"
                            .formatted(drain, patience, Tide.DAY - 1));
        }
    }

    /** The first time after that at which nodes are closed, change hands or are cleared. */
    long next(long now) {
        long next = Long.MAX_VALUE;
        long midnight = now - Math.floorMod(now, Tide.DAY);
        for (Tide.Turn turn : tide.turns()) {
            for (long day = -1; day <= 2; day++) {
                long time = midnight + day * Tide.DAY + turn.second();
                next = soonest(next, time - drain, now);
                next = soonest(next, time, now);
                next = soonest(next, time + patience, now);
            }
        }
        return next;
    }

    private static long soonest(long known, long time, long now) {
        return time > now ? Math.min(known, time) : known;
    }

    Tides on(Ledger ledger) {
        return new Tides(ledger, tide, drain, patience);
    }
}
