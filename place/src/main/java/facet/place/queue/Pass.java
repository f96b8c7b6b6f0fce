package facet.place.queue;

import facet.place.Gang;
import facet.place.Job;
import facet.place.Proposal;
import facet.place.Request;
import facet.place.defrag.Defragmentation;
import facet.place.defrag.Movers;
import facet.place.defrag.Moves;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;

/**
 * All that wait, tried once. Queues within their quotas come first, of those the one that uses
 * least of it. Of a queue the first that does not fit is helped: others move, or leave, or room is
 * kept for it. Those behind it go ahead where they do not need that room.
 */
final class Pass {
    /** What failed once fails again, as long as the same room is kept for others. */
    private record Attempt(List<Request> requests, Gang.Near near, BitSet counting) {}

    /** For whom nothing could be done. */
    private record Hopeless(List<Request> requests, Gang.Near near, int priority, String queue) {
        Hopeless(Gang gang) {
            this(gang.requests(), gang.near(), gang.priority(), gang.queue());
        }
    }

    /**
     * So many kinds of a queue may fail in a pass; those behind them are tried in the next one.
     * Whoever asks for something else each time would otherwise hold up all queues.
     */
    static final int MOST_FAILURES = 512;

    private final State state;
    private final long now;
    private final List<Decision> decisions = new ArrayList<>();
    private final Holds holds;
    private final Gangs gangs;
    private final Set<Attempt> failed = new HashSet<>();
    private final Set<Hopeless> hopeless = new HashSet<>();
    private final Map<String, Integer> failures = new HashMap<>();

    /** Queues of which somebody waits for room already. */
    private final Set<String> helped = new HashSet<>();

    Pass(State state, long now) {
        this.state = state;
        this.now = now;
        holds = new Holds(state);
        gangs = new Gangs(state.placer);
    }

    List<Decision> run() {
        // Before anything is tried: what is tried and undone looks like a change as well.
        boolean changed = state.hasChanged();
        giveUp();
        try (holds) {
            checkReservations();
            Map<String, Deque<Waiting>> rest = changed || state.lookAgain ? all() : fresh();
            state.lookAgain = false;
            state.fresh.clear();
            while (!rest.isEmpty()) {
                String queue = next(rest);
                Deque<Waiting> behind = rest.getOrDefault(queue, new ArrayDeque<>());
                boolean goesOn = attempt(behind.removeFirst());
                if (!goesOn || behind.isEmpty()) {
                    rest.remove(queue);
                } else if (failures.getOrDefault(queue, 0) >= MOST_FAILURES) {
                    state.tired.put(queue, behind.getFirst());
                    rest.remove(queue);
                    state.lookAgain = true;
                }
            }
        }
        state.seen();
        return decisions;
    }

    private Map<String, Deque<Waiting>> all() {
        state.stopped.clear();
        Map<String, Deque<Waiting>> all = new HashMap<>();
        state.waiting.forEach((queue, each) -> all.put(queue, inTurn(queue, each)));
        state.tired.keySet().retainAll(all.keySet());
        return all;
    }

    /** From where the last pass stopped; the first of a queue always comes first. */
    private Deque<Waiting> inTurn(String queue, NavigableSet<Waiting> waiting) {
        Waiting from = state.tired.remove(queue);
        if (from == null || waiting.isEmpty()) {
            return new ArrayDeque<>(waiting);
        }
        Waiting first = waiting.getFirst();
        NavigableSet<Waiting> others = waiting.tailSet(first, false);
        Deque<Waiting> all = new ArrayDeque<>();
        all.add(first);
        all.addAll(others.tailSet(from, true));
        all.addAll(others.headSet(from, false));
        return all;
    }

    /** Nobody has left since the last time: those that were tried then need not be tried again. */
    private Map<String, Deque<Waiting>> fresh() {
        Map<String, Deque<Waiting>> all = new HashMap<>();
        for (Waiting each : state.fresh) {
            String queue = each.gang().queue();
            Waiting stop = state.stopped.get(queue);
            if (stop == null || Waiting.ORDER.compare(each, stop) < 0) {
                all.computeIfAbsent(queue, name -> new ArrayDeque<>()).add(each);
            }
        }
        return all;
    }

    /** Whether room is kept for one of its queue that comes before it. */
    private boolean isHelpedBefore(Waiting one) {
        return state.reservations.stream()
                .anyMatch(each ->
                        each.waiting().gang().queue().equals(one.gang().queue())
                                && !each.isBehind(one));
    }

    private void giveUp() {
        for (Waiting each : List.copyOf(state.impatient)) {
            if (each.hasGivenUp(now)) {
                state.remove(each);
                Reservation kept = state.reservation(each);
                if (kept != null) {
                    drop(kept);
                }
                decisions.add(new Decision.GiveUp(each.gang()));
            }
        }
    }

    private String next(Map<String, Deque<Waiting>> rest) {
        if (rest.size() == 1) {
            return rest.keySet().iterator().next();
        }
        return rest.entrySet().stream()
                .min(
                        Comparator.comparingInt((Map.Entry<String, Deque<Waiting>> each) ->
                                        owns(each.getValue().getFirst()) ? 0 : 1)
                                .thenComparingDouble(each -> state.quotas.part(each.getKey()))
                                .thenComparing(each -> each.getValue().getFirst(), Waiting.ORDER))
                .orElseThrow()
                .getKey();
    }

    private boolean owns(Waiting one) {
        return state.quotas.owns(one.gang().queue(), one.gang().demand());
    }

    /** Whether those behind it in its queue are tried too. */
    private boolean attempt(Waiting one) {
        Gang gang = one.gang();
        if (!state.quotas.allows(gang.queue(), gang.demand(), gang.canLeave())) {
            if (!state.quotas.couldAllow(gang.queue(), gang.demand(), gang.canLeave())) {
                return true;
            }
            // Whoever is behind must not use up what the first one waits for.
            if (helped.add(gang.queue()) && state.reservation(one) == null) {
                holds.showTo(one, end(gang));
                evict(one);
            }
            state.stopped.put(gang.queue(), one);
            return false;
        }
        BitSet counting = holds.showTo(one, end(gang));
        Attempt attempt = new Attempt(gang.requests(), gang.near(), counting);
        if (!failed.contains(attempt)) {
            List<Proposal> where = where(one);
            if (!where.isEmpty()) {
                begin(one, where);
                return true;
            }
            failed.add(attempt);
            failures.merge(gang.queue(), 1, Integer::sum);
        }
        Hopeless kind = new Hopeless(gang);
        if (!hopeless.contains(kind)) {
            boolean isFirst = helped.add(gang.queue()) && !isHelpedBefore(one);
            if (isFirst ? !help(one) : !helpBehind(one)) {
                hopeless.add(kind);
                if (isFirst && owns(one)) {
                    helped.remove(gang.queue());
                }
            }
        }
        return true;
    }

    /**
     * Room is kept for one of its queue that comes before it. Others leave for it all the same,
     * where that one does not wait for them: it may wait for long.
     */
    private boolean helpBehind(Waiting one) {
        return state.reservation(one) != null || owns(one) && evict(one);
    }

    /** When the last of them has left at the latest, if they begin now. */
    private long end(Gang gang) {
        return gang.jobs().stream().mapToLong(each -> each.end(now)).max().orElse(now);
    }

    /** Where room was kept for it, if that is free by now; else wherever it fits. */
    private List<Proposal> where(Waiting one) {
        Reservation kept = state.reservation(one);
        return kept != null && kept.awaited().isEmpty() && kept.isPossible(state.ledger)
                ? kept.where()
                : gangs.find(one.gang());
    }

    private void begin(Waiting one, List<Proposal> where) {
        List<Integer> tickets = state.begin(one, where, now);
        if (tickets.isEmpty()) {
            throw new IllegalStateException(
                    "no room for '" + one.gang().name() + "' where it fits");
        }
        long end = end(one.gang());
        for (int i = 0; i < tickets.size(); i++) {
            int ticket = tickets.get(i);
            decisions.add(
                    new Decision.Start(one.gang().jobs().get(i), state.ledger.placement(ticket)));
            for (Reservation each : state.reservations) {
                // It may be in room that is kept for another, and is gone by then.
                if (each.isAfter(end) && each.isOn(state.ledger.node(ticket))) {
                    holds.release(each);
                    each.awaited().add(ticket);
                }
            }
        }
        Reservation kept = state.reservation(one);
        if (kept != null) {
            drop(kept);
        }
        for (Reservation each : List.copyOf(state.reservations)) {
            if (each.isBehind(one)) {
                holds.release(each);
                if (!each.isPossible(state.ledger)) {
                    drop(each);
                }
            }
        }
    }

    private void checkReservations() {
        for (Reservation each : List.copyOf(state.reservations)) {
            boolean late = each.time() < now && !each.awaited().isEmpty();
            if (late && each.told().isEmpty() || !each.isPossible(state.ledger)) {
                drop(each);
            }
        }
    }

    /** Whoever was told to leave for it may stay. */
    private void drop(Reservation one) {
        holds.release(one);
        state.reservations.remove(one);
        failed.clear();
        state.lookAgain = true;
        decisions.addAll(state.spare(one));
    }

    /** Does what makes it fit; whether it is worth waiting for. */
    private boolean help(Waiting one) {
        Reservation kept = state.reservation(one);
        if (kept != null && (!kept.told().isEmpty() || kept.tried == state.events)) {
            return true;
        }
        if (kept == null && (move(one) || evict(one))) {
            return true;
        }
        if (kept != null) {
            // Room that it may have sooner by others' leaving.
            holds.release(kept);
            state.reservations.remove(kept);
            if (!evict(one)) {
                kept.tried = state.events;
                state.reservations.add(kept);
            }
            failed.clear();
            return true;
        }
        return reserve(one);
    }

    private boolean move(Waiting one) {
        if (state.rules.mostMoves() == 0 || one.gang().jobs().size() > 1) {
            return false;
        }
        Movers movers = new Movable(state, now);
        Optional<Moves> plan =
                new Defragmentation(state.placer)
                        .find(
                                one.gang().jobs().getFirst().request(),
                                movers,
                                state.rules.mostMoves(),
                                Long.MAX_VALUE);
        if (plan.isEmpty()) {
            return false;
        }
        List<Integer> awaited = new ArrayList<>();
        for (Moves.Move each : plan.get().moves()) {
            awaited.add(each.ticket());
            decisions.add(state.move(each, one.gang().name()));
        }
        keep(
                new Reservation(
                        one, Job.Stay.UNKNOWN, List.of(plan.get().where()), awaited, List.of()));
        return true;
    }

    private boolean evict(Waiting one) {
        if (!state.rules.preempts()) {
            return false;
        }
        Gang gang = one.gang();
        // It begins when they have left, so it is not gone before room is wanted that is kept.
        holds.showTo(one, Job.Stay.UNKNOWN);
        long excess = state.quotas.excess(gang.queue(), gang.demand(), gang.canLeave());
        Optional<Evictions> found = Evictions.find(state, one, excess, now);
        if (found.isEmpty() || found.get().units().isEmpty()) {
            return false;
        }
        long time = now;
        List<Integer> told = new ArrayList<>();
        List<Integer> awaited = new ArrayList<>();
        Set<Integer> nodes = new HashSet<>();
        found.get().where().forEach(each -> nodes.add(each.node()));
        for (Unit unit : found.get().units()) {
            state.tell(unit, true);
            for (int ticket : unit.tickets) {
                Job job = state.ledger.job(ticket);
                long deadline = job.stay().deadline(now);
                time = Math.max(time, deadline);
                told.add(ticket);
                if (nodes.contains(state.ledger.node(ticket))) {
                    awaited.add(ticket);
                }
                decisions.add(new Decision.Evict(ticket, job, deadline, gang.name()));
            }
        }
        keep(new Reservation(one, time, found.get().where(), awaited, told));
        return true;
    }

    /** Keeps the room that will be free first. What is not its queue's own is not kept for it. */
    private boolean reserve(Waiting one) {
        if (!state.rules.reserves() || !owns(one)) {
            return false;
        }
        Forecast forecast =
                Forecast.of(one.gang(), state.ledger, gangs, state.departures(one, now));
        if (forecast.where().isEmpty()) {
            return false;
        }
        keep(
                new Reservation(
                        one,
                        Math.max(now, forecast.time()),
                        forecast.where(),
                        forecast.awaited(),
                        List.of()));
        return true;
    }

    private void keep(Reservation one) {
        one.tried = state.events;
        state.reservations.add(one);
    }
}
