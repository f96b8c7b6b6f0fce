package facet.sched;

import org.jspecify.annotations.Nullable;

/**
 * A seat waits a moment for more work of the share that has just left it, when that one is behind
 * the others: between two short kernels it would lose the seat for a quantum.
 */
@SuppressWarnings("ReferenceEquality") // a share is itself, whatever it looks like
final class Linger {
    /** How long. */
    static final long MOMENT = 50_000;

    private final @Nullable Share[] last;
    private final long[] since;

    Linger(int seats) {
        last = new Share[seats];
        since = new long[seats];
    }

    void begin(int seat, Share share, long now) {
        last[seat] = share;
        since[seat] = now;
    }

    /** Who has left a seat that nobody has had since. */
    @Nullable Share waitsFor(int seat) {
        return last[seat];
    }

    /** The same, while it is waited for. */
    @Nullable Share waitsFor(int seat, long now) {
        return now < since[seat] + MOMENT ? last[seat] : null;
    }

    /** When a free seat is no longer kept; {@link Board#NEVER} when it is not. */
    long ends(int seat, long now) {
        return waitsFor(seat, now) == null ? Board.NEVER : since[seat] + MOMENT;
    }

    /** The seat is taken: how long it was kept. */
    double end(int seat, long now) {
        last[seat] = null;
        return Math.min(MOMENT, now - since[seat]);
    }

    void forget(Share share) {
        for (int seat = 0; seat < last.length; seat++) {
            last[seat] = last[seat] == share ? null : last[seat];
        }
    }
}
