package facet.place.queue;

import facet.place.Gang;
import facet.place.Ledger;
import facet.place.Proposal;
import facet.place.Trial;
import java.util.Comparator;
import java.util.List;

/**
 * When a gang will fit, and where: as soon as enough of those have left who leave by themselves.
 *
 * @param time at which the last of them leaves at the latest; {@code UNKNOWN} where somebody never
 *     said how long it stays
 * @param where the jobs will go, in their order
 * @param awaited tickets on those nodes that have left by then
 */
record Forecast(long time, List<Proposal> where, List<Integer> awaited) {
    /**
     * @param leaving who may be waited for, in the order in which they will leave
     * @return without places when it does not fit even then
     */
    static Forecast of(Gang gang, Ledger ledger, Gangs gangs, List<Departure> leaving) {
        int low = 0;
        int high = leaving.size();
        List<Proposal> best = List.of();
        // More room is never worse, up to how well a gang packs: the fewest departures that do.
        while (low <= high) {
            int middle = (low + high) >>> 1;
            List<Proposal> found = after(gang, ledger, gangs, leaving.subList(0, middle));
            if (found.isEmpty()) {
                low = middle + 1;
            } else {
                best = found;
                high = middle - 1;
            }
        }
        if (best.isEmpty()) {
            return new Forecast(0, List.of(), List.of());
        }
        List<Departure> first = leaving.subList(0, Math.min(low, leaving.size()));
        List<Integer> nodes = best.stream().map(Proposal::node).toList();
        return new Forecast(
                first.isEmpty() ? 0 : first.getLast().time(),
                best,
                first.stream()
                        .filter(each -> nodes.contains(each.node()))
                        .map(Departure::ticket)
                        .toList());
    }

    private static List<Proposal> after(
            Gang gang, Ledger ledger, Gangs gangs, List<Departure> gone) {
        try (Trial trial = new Trial(ledger)) {
            gone.forEach(each -> trial.without(each.ticket()));
            return gangs.find(gang).stream().map(Proposal::anyVersion).toList();
        }
    }

    /**
     * Somebody who leaves then at the latest.
     *
     * @param free thousandths that are free on its node
     */
    record Departure(long time, int free, int node, int ticket) {
        /** The first one first; of those with equal times from the emptiest nodes. */
        static final Comparator<Departure> ORDER = Departure::compare;

        private static int compare(Departure one, Departure other) {
            if (one.time != other.time) {
                return Long.compare(one.time, other.time);
            }
            if (one.free != other.free) {
                return Integer.compare(other.free, one.free);
            }
            return one.node != other.node
                    ? Integer.compare(one.node, other.node)
                    : Integer.compare(one.ticket, other.ticket);
        }
    }
}
