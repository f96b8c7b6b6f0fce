package facet.place.queue;

import facet.place.Gang;
import facet.place.Job;
import facet.place.Ledger;
import facet.place.Placer;
import facet.place.Proposal;
import facet.place.defrag.Moves;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who waits, who runs, and for whom room is kept. */
final class State {
    final Placer placer;
    final Ledger ledger;
    final Quotas quotas;
    final Rules rules;

    /** By the names of queues. */
    final Map<String, TreeSet<Waiting>> waiting = new TreeMap<>();

    final Map<String, Waiting> byName = new HashMap<>();
    final UnitsByTicket byTicket = new UnitsByTicket();
    final Map<Integer, Unit> units = new HashMap<>();
    final List<Reservation> reservations = new ArrayList<>();

    /** Old tickets of jobs that are on their way to another place. */
    final Set<Integer> moving = new HashSet<>();

    /** Those of them that give up at some time. */
    final Set<Waiting> impatient = new LinkedHashSet<>();

    /** Those that came since all were tried. */
    final Set<Waiting> fresh = new TreeSet<>(Waiting.ORDER);

    /** Who holds up a queue that has all that it may have. */
    final Map<String, Waiting> stopped = new HashMap<>();

    /** Whether those that failed may fit by now. */
    boolean lookAgain = true;

    /** Running jobs that may be made to leave, by queue and priority. */
    private final Map<String, TreeMap<Integer, Integer>> leavers = new HashMap<>();

    private long seenChanges = -1;
    private long seenQuotas = -1;
    private long arrivals;
    private int nextUnit;

    /** How often somebody began or left: whoever failed need not try again before. */
    long events;

    State(Placer placer, Quotas quotas, Rules rules) {
        this.placer = placer;
        this.quotas = quotas;
        this.rules = rules;
        ledger = placer.ledger();
    }

    void add(Gang gang, long since) {
        add(new Waiting(gang, since, arrivals++));
    }

    /** It waits again, where it waited before. */
    void add(Waiting one) {
        Gang gang = one.gang();
        if (byName.putIfAbsent(gang.name(), one) != null) {
            throw new IllegalArgumentException(
                    "a gang '" + gang.name() + "' waits already; give this one another name");
        }
        waiting.computeIfAbsent(gang.queue(), each -> new TreeSet<>(Waiting.ORDER)).add(one);
        fresh.add(one);
        if (gang.patience() != Gang.FOREVER) {
            impatient.add(one);
        }
    }

    /** Whether there may be more room than when all were tried. */
    boolean hasChanged() {
        return lookAgain
                || seenChanges != ledger.cluster().changes()
                || seenQuotas != quotas.changes();
    }

    /** All were tried, as things are. What was given up for others meanwhile may be free now. */
    void seen() {
        seenChanges = ledger.cluster().changes();
        seenQuotas = quotas.changes();
    }

    void remove(Waiting one) {
        impatient.remove(one);
        fresh.remove(one);
        if (one.equals(stopped.get(one.gang().queue()))) {
            lookAgain = true;
        }
        byName.remove(one.gang().name());
        TreeSet<Waiting> queue = waiting.get(one.gang().queue());
        if (queue != null) {
            queue.remove(one);
            if (queue.isEmpty()) {
                waiting.remove(one.gang().queue());
            }
        }
    }

    /** Enters all jobs of a gang; nothing when somebody else was faster. */
    List<Integer> begin(Waiting one, List<Proposal> where, long now) {
        List<Integer> tickets = enter(one, where, now);
        if (!tickets.isEmpty()) {
            remove(one);
        }
        return tickets;
    }

    /** Those that run already, and never waited here. */
    List<Integer> adopt(Gang gang, List<Proposal> where, long since) {
        return enter(new Waiting(gang, since, arrivals++), where, since);
    }

    private List<Integer> enter(Waiting one, List<Proposal> where, long now) {
        Gang gang = one.gang();
        List<Integer> tickets = ledger.tryEnter(gang.jobs(), where);
        if (!tickets.isEmpty()) {
            Unit unit = new Unit(nextUnit++, one, now);
            units.put(unit.number, unit);
            tickets.forEach(each -> join(unit, each));
            quotas.take(gang.queue(), gang.demand());
            events++;
        }
        return tickets;
    }

    void join(Unit unit, int ticket) {
        unit.tickets.add(ticket);
        byTicket.put(ticket, unit);
        countLeaver(unit, ticket, 1);
    }

    private void countLeaver(Unit unit, int ticket, int change) {
        if (ledger.job(ticket).stay().leaving() == Job.Leaving.NEVER) {
            unit.staying += change;
        } else {
            leavers.computeIfAbsent(unit.queue(), each -> new TreeMap<>())
                    .merge(
                            unit.priority(),
                            change,
                            (before, more) -> before + more == 0 ? null : before + more);
        }
    }

    /** Whether some job of the queue has less priority and may be made to leave. */
    boolean hasLeaver(String queue, int priority) {
        TreeMap<Integer, Integer> counts = leavers.get(queue);
        return counts != null && !counts.isEmpty() && counts.firstKey() < priority;
    }

    /** Whoever told it to leave need not wait any more. */
    void left(int ticket) {
        Unit unit = byTicket.remove(ticket);
        if (unit == null) {
            throw new IllegalArgumentException("ticket " + ticket + " is not of this dispatcher");
        }
        countLeaver(unit, ticket, -1);
        long demand = ledger.job(ticket).request().demand();
        if (!moving.remove(ticket)) {
            quotas.give(unit.queue(), demand);
            if (unit.leaves) {
                quotas.tell(unit.queue(), -demand);
            }
        }
        unit.tickets.remove(Integer.valueOf(ticket));
        if (unit.tickets.isEmpty()) {
            units.remove(unit.number);
        }
        ledger.leave(ticket);
        for (Reservation each : reservations) {
            each.awaited().remove(Integer.valueOf(ticket));
            each.told().remove(Integer.valueOf(ticket));
        }
        events++;
    }

    /** The unit has to leave, or may stay after all. */
    void tell(Unit unit, boolean leaves) {
        if (unit.leaves != leaves) {
            unit.leaves = leaves;
            long demand = 0;
            for (int ticket : unit.tickets) {
                demand += moving.contains(ticket) ? 0 : ledger.job(ticket).request().demand();
            }
            quotas.tell(unit.queue(), leaves ? demand : -demand);
        }
    }

    /** Those that were told to leave for its sake, and are still there. */
    List<Decision> spare(Reservation one) {
        List<Decision> spared = new ArrayList<>();
        for (int ticket : one.told()) {
            Unit unit = byTicket.get(ticket);
            if (unit != null) {
                tell(unit, false);
                spared.add(new Decision.Spare(ticket, ledger.job(ticket)));
            }
        }
        one.told().clear();
        return spared;
    }

    /** Gives a job its new place; the old one is free when it is there. */
    Decision move(Moves.Move move, String gang) {
        Unit unit = byTicket.get(move.ticket());
        if (unit == null) {
            throw new IllegalArgumentException("ticket " + move.ticket() + " is not here");
        }
        Job job = ledger.job(move.ticket());
        int ticket = ledger.enter(job, move.to().node(), move.to().devices());
        moving.add(move.ticket());
        join(unit, ticket);
        events++;
        return new Decision.Move(move.ticket(), job, ledger.placement(ticket), move.cost(), gang);
    }

    /** Who leaves by itself, the first one first; who never said when, from the emptiest nodes. */
    List<Forecast.Departure> departures(Waiting one, long now) {
        Set<Integer> others = new HashSet<>();
        for (Reservation each : reservations) {
            if (!each.isBehind(one)) {
                others.addAll(each.awaited());
            }
        }
        List<Forecast.Departure> all = new ArrayList<>();
        byTicket.forEach((ticket, unit) -> {
            if (!others.contains(ticket)) {
                long end = ledger.job(ticket).end(unit.began);
                long time = end < now ? Job.Stay.UNKNOWN : end;
                int node = ledger.node(ticket);
                int free = ledger.cluster().freeOnNode(node);
                all.add(new Forecast.Departure(time, free, node, ticket));
            }
        });
        all.sort(Forecast.Departure.ORDER);
        return all;
    }

    @Nullable Reservation reservation(Waiting one) {
        for (Reservation each : reservations) {
            if (each.waiting().equals(one)) {
                return each;
            }
        }
        return null;
    }

    /** Whether somebody waits for this ticket to be gone. */
    boolean isAwaited(int ticket) {
        return reservations.stream().anyMatch(each -> each.awaited().contains(ticket));
    }
}
