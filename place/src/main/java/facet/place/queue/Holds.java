package facet.place.queue;

import facet.place.Trial;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The room that is kept, as others see it: taken away while they are tried. For each that is tried,
 * some reservations do not count.
 */
final class Holds implements AutoCloseable {
    private final State state;
    private final Map<Reservation, Trial> held = new HashMap<>();

    Holds(State state) {
        this.state = state;
    }

    /**
     * As the cluster looks to one that would end then.
     *
     * @return the numbers of the reservations that count
     */
    BitSet showTo(Waiting one, long end) {
        BitSet counting = new BitSet();
        List<Reservation> all = state.reservations;
        for (int i = 0; i < all.size(); i++) {
            Reservation each = all.get(i);
            boolean counts = !each.isBehind(one) && !each.isAfter(end);
            counting.set(i, counts);
            if (counts) {
                if (!held.containsKey(each)) {
                    Trial trial = new Trial(state.ledger);
                    held.put(each, trial);
                    each.hold(state.ledger, trial);
                }
            } else {
                release(each);
            }
        }
        return counting;
    }

    /** It counts for nobody any more, or is to be looked at again. */
    void release(Reservation one) {
        Trial trial = held.remove(one);
        if (trial != null) {
            trial.close();
        }
    }

    @Override
    public void close() {
        held.values().forEach(Trial::close);
        held.clear();
    }
}
