package facet.place.preempt;

import facet.place.Proposal;
import java.util.List;

/**
 * Who leaves, and where the request then goes.
 *
 * @param level the highest of the units
 */
public record Eviction(Proposal where, List<Integer> units, long level, long cost) {
    public Eviction {
        units = List.copyOf(units);
    }
}
