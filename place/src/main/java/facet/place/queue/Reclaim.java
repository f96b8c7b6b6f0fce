package facet.place.queue;

import facet.place.preempt.Victims;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whom a gang may make leave: those of its own queue with less priority; and, as long as its queue
 * is within its quota, those of queues that have borrowed, up to what they borrowed. The last one
 * of a queue may be larger than what is missing. What was borrowed goes first.
 */
final class Reclaim implements Victims {
    private final State state;
    private final Waiting one;
    private final long now;
    private final boolean owns;
    private final Set<Integer> awaited = new HashSet<>();

    Reclaim(State state, Waiting one, long now) {
        this.state = state;
        this.one = one;
        this.now = now;
        owns = state.quotas.owns(one.gang().queue(), one.gang().demand());
        // What others wait for is theirs.
        state.reservations.stream()
                .filter(each -> !each.isBehind(one))
                .forEach(each -> awaited.addAll(each.awaited()));
    }

    @Override
    public int unit(int ticket) {
        Unit unit = state.byTicket.get(ticket);
        if (unit == null || unit.leaves) {
            return NOBODY;
        }
        boolean own = isOwn(unit);
        boolean may =
                own
                        ? unit.priority() < one.gang().priority()
                        : owns
                                && unit.demand(state.ledger) > 0
                                && state.quotas.borrowed(unit.queue()) > 0;
        return may
                        && unit.canLeave()
                        && !isIn(state.moving, List.of(ticket))
                        && !isIn(awaited, unit.tickets)
                ? unit.number
                : NOBODY;
    }

    private static boolean isIn(Set<Integer> some, List<Integer> tickets) {
        return !some.isEmpty() && tickets.stream().anyMatch(some::contains);
    }

    /** Whether there may be anybody; if not, nobody need be looked at. */
    boolean isAnybody() {
        return state.hasLeaver(one.gang().queue(), one.gang().priority())
                || owns && state.quotas.isAnyBorrowed();
    }

    private boolean isOwn(Unit unit) {
        return unit.queue().equals(one.gang().queue());
    }

    private Unit unitOf(int number) {
        Unit unit = state.units.get(number);
        if (unit == null) {
            throw new IllegalArgumentException("there is no unit " + number);
        }
        return unit;
    }

    @Override
    public long level(int number) {
        Unit unit = unitOf(number);
        return unit.priority() + (isOwn(unit) ? 1L << 33 : 0);
    }

    @Override
    public long cost(int number) {
        return unitOf(number).cost(state.ledger, state.rules.costs(), now);
    }

    @Override
    public boolean allows(List<Integer> numbers) {
        Map<String, Long> sums = new HashMap<>();
        Map<String, Long> largest = new HashMap<>();
        for (int number : numbers) {
            Unit unit = unitOf(number);
            if (!isOwn(unit)) {
                long demand = unit.demand(state.ledger);
                sums.merge(unit.queue(), demand, Long::sum);
                largest.merge(unit.queue(), demand, Math::max);
            }
        }
        return sums.entrySet().stream()
                .allMatch(each ->
                        each.getValue() - largest.getOrDefault(each.getKey(), 0L)
                                < state.quotas.borrowed(each.getKey()));
    }
}
