package facet.place.queue;

import facet.place.Gang;
import facet.place.Proposal;
import facet.place.Trial;
import facet.place.preempt.Eviction;
import facet.place.preempt.Preemption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who has to leave so that all jobs of a gang fit, and its queue stays within its limit. Nobody who
 * could stay; and nobody at all when it does not fit even then.
 *
 * @param where its jobs go, in their order
 */
record Evictions(List<Unit> units, List<Proposal> where) {

    static Optional<Evictions> find(State state, Waiting one, long excess, long now) {
        return new Search(state, one, excess, now).find();
    }

    private static final class Search {
        private final State state;
        private final Gang gang;
        private final long excess;
        private final Reclaim victims;
        private final List<Integer> chosen = new ArrayList<>();

        Search(State state, Waiting one, long excess, long now) {
            this.state = state;
            this.gang = one.gang();
            this.excess = excess;
            victims = new Reclaim(state, one, now);
        }

        Optional<Evictions> find() {
            if (gang.jobs().size() > 1 && gang.near() != Gang.Near.ANYWHERE
                    || !victims.isAnybody()) {
                return Optional.empty();
            }
            try (Trial trial = new Trial(state.ledger)) {
                if (!keepsLimit(trial)) {
                    return Optional.empty();
                }
                Preemption preemption = new Preemption(state.placer);
                Proposal[] where = new Proposal[gang.jobs().size()];
                for (int i : Gangs.largestFirst(gang)) {
                    var request = gang.jobs().get(i).request();
                    Optional<Proposal> place = state.placer.propose(request);
                    if (place.isEmpty()) {
                        Optional<Eviction> found = preemption.find(request, victims, chosen);
                        found.ifPresent(each -> each.units().forEach(unit -> leave(unit, trial)));
                        place = found.map(Eviction::where);
                    }
                    if (place.isEmpty()) {
                        return Optional.empty();
                    }
                    trial.with(place.get());
                    where[i] = place.get().anyVersion();
                }
                spare(trial);
                return Optional.of(
                        new Evictions(chosen.stream().map(this::unit).toList(), List.of(where)));
            }
        }

        private Unit unit(int number) {
            Unit unit = state.units.get(number);
            if (unit == null) {
                throw new IllegalStateException("unit " + number + " is gone");
            }
            return unit;
        }

        private void leave(int number, Trial trial) {
            chosen.add(number);
            unit(number).tickets.forEach(trial::without);
        }

        /** The cheapest of its own queue, until the queue is within its limit. */
        private boolean keepsLimit(Trial trial) {
            if (excess == 0) {
                return true;
            }
            Set<Integer> own = new HashSet<>();
            state.byTicket.forEach((ticket, unit) -> {
                if (unit.queue().equals(gang.queue()) && victims.unit(ticket) == unit.number) {
                    own.add(unit.number);
                }
            });
            List<Integer> dearestFirst = new ArrayList<>(own);
            dearestFirst.sort(
                    Comparator.comparingLong(victims::level)
                            .thenComparingLong(victims::cost)
                            .thenComparingInt(each -> each)
                            .reversed());
            long rest = demand(dearestFirst);
            if (rest < excess) {
                return false;
            }
            for (int each : dearestFirst) {
                long demand = unit(each).demand(state.ledger);
                if (rest - demand >= excess) {
                    rest -= demand;
                } else {
                    leave(each, trial);
                }
            }
            return true;
        }

        private long demand(List<Integer> units) {
            return units.stream().mapToLong(each -> unit(each).demand(state.ledger)).sum();
        }

        /** Those for whom there is room after all, the dearest first. */
        private void spare(Trial trial) {
            List<Integer> dearestFirst = new ArrayList<>(chosen);
            dearestFirst.sort(
                    Comparator.comparingLong(victims::level)
                            .thenComparingLong(victims::cost)
                            .reversed());
            for (int each : dearestFirst) {
                List<Integer> others = new ArrayList<>(chosen);
                others.remove(Integer.valueOf(each));
                List<Integer> own =
                        others.stream()
                                .filter(other -> unit(other).queue().equals(gang.queue()))
                                .toList();
                if (demand(own) >= excess && returns(each, trial)) {
                    chosen.remove(Integer.valueOf(each));
                }
            }
        }

        private boolean returns(int number, Trial trial) {
            int before = trial.steps();
            for (int ticket : unit(number).tickets) {
                if (!trial.canReturn(ticket)) {
                    trial.undoTo(before);
                    return false;
                }
                trial.back(ticket);
            }
            return true;
        }
    }
}
