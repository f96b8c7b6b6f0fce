package facet.place.queue;

import facet.place.Gang;
import facet.place.Job;
import facet.place.Ledger;
import facet.place.Placer;
import facet.place.Proposal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Jobs that wait in queues, and those that run. Whoever calls tells what happened, and asks what is
 * to be done; nothing happens by itself, and time is what the caller says it is. What has begun is
 * in the ledger when {@link #decide} returns.
 */
public final class Dispatcher {
    /**
     * A gang of which a job has lost its place.
     *
     * @param since when it came first; it waits from there if it is submitted again
     */
    public record Lost(Job job, long since) {}

    /** What is not settled then is settled when it is asked again. */
    private static final int MOST_PASSES = 3;

    /** Tests look at it. */
    final State state;

    public Dispatcher(Placer placer, Quotas quotas, Rules rules) {
        state = new State(placer, quotas, rules);
    }

    public Ledger ledger() {
        return state.ledger;
    }

    public Quotas quotas() {
        return state.quotas;
    }

    /**
     * @param since when it came; for one that ran before and has to begin anew, when it came first
     * @throws IllegalArgumentException when its queue is not there or may never have so much, or
     *     one with its name waits
     */
    public void submit(Gang gang, long since) {
        if (!state.quotas.couldAllow(gang.queue(), gang.demand(), gang.canLeave())) {
            Queue queue = state.quotas.queue(gang.queue());
            throw new IllegalArgumentException(
                    "'%s' asks for %d thousandths of devices, and queue '%s' has %s %d"
                            .formatted(
                                    gang.name(),
                                    gang.demand(),
                                    queue.name(),
                                    gang.canLeave()
                                            ? "at most"
                                            : "of its own, for what may not be made to leave,",
                                    gang.canLeave() ? queue.limit() : queue.quota()));
        }
        state.add(gang, since);
        gang.jobs().forEach(each -> state.placer.arrived(each.request()));
    }

    /** It waits no more. Whoever was told to leave for its sake may stay. */
    public List<Decision> withdraw(String gang) {
        Waiting one = state.byName.get(gang);
        if (one == null) {
            return List.of();
        }
        state.remove(one);
        Reservation kept = state.reservation(one);
        if (kept == null) {
            return List.of();
        }
        state.reservations.remove(kept);
        state.lookAgain = true;
        return state.spare(kept);
    }

    /** Who begins, leaves, moves or gives up now. */
    public List<Decision> decide(long now) {
        List<Decision> decisions = new ArrayList<>();
        // Room that was kept for somebody who needs it no more is free for others.
        for (int i = 0; i == 0 || state.lookAgain && i < MOST_PASSES; i++) {
            decisions.addAll(new Pass(state, now).run());
        }
        return decisions;
    }

    /**
     * Jobs that run already: somebody else let them begin, or this dispatcher did before it was
     * made anew. They count in their queue and may be told to leave, as others.
     *
     * @param since when they began
     * @return their tickets; none where there is no room for all of them
     */
    public List<Integer> adopt(Gang gang, List<Proposal> where, long since) {
        return state.adopt(gang, where, since);
    }

    /** A job has ended, by itself or because it was told to, or has gone to its new place. */
    public void left(int ticket) {
        state.left(ticket);
    }

    /**
     * A job could not begin after all, or another scheduler was faster: its place is free again,
     * and its gang waits where it waited before.
     */
    public void undo(int ticket) {
        Unit unit = state.byTicket.get(ticket);
        if (unit == null) {
            throw new IllegalArgumentException("ticket " + ticket + " is not of this dispatcher");
        }
        Waiting waited = unit.waited;
        List.copyOf(unit.tickets).forEach(state::left);
        state.add(waited);
    }

    /** A node is gone, and with it all that was on it. It takes nothing until it is opened. */
    public List<Lost> fail(int node) {
        state.ledger.cluster().close(node);
        List<Lost> lost = new ArrayList<>();
        for (int ticket : state.ledger.on(node)) {
            Unit unit = state.byTicket.get(ticket);
            if (unit != null) {
                // Whoever was about to leave it for another place goes on there.
                if (!state.moving.contains(ticket)) {
                    lost.add(new Lost(state.ledger.job(ticket), unit.waited.since()));
                }
                state.left(ticket);
            }
        }
        return lost;
    }

    /**
     * When a gang begins at the latest that waits as the first of its queue, as long as nodes stay,
     * jobs leave when they said, and nobody comes before it; {@code UNKNOWN} where room is kept for
     * it and nobody knows. Nothing where no room is kept.
     */
    public OptionalLong promised(String gang) {
        Waiting one = state.byName.get(gang);
        Reservation kept = one == null ? null : state.reservation(one);
        return kept == null ? OptionalLong.empty() : OptionalLong.of(kept.time());
    }

    /** How many gangs wait. */
    public int waiting() {
        return state.byName.size();
    }

    /** Those that wait in a queue, who comes first first. */
    public List<Gang> waiting(String queue) {
        return state.byName.values().stream()
                .filter(each -> each.gang().queue().equals(queue))
                .sorted(Waiting.ORDER)
                .map(Waiting::gang)
                .toList();
    }
}
