package facet.place.queue;

import facet.place.Job;
import facet.place.defrag.Movers;

/** Who may go elsewhere: whoever can, was not told to leave, and is not awaited by somebody. */
record Movable(State state, long now) implements Movers {
    @Override
    public boolean canMove(int ticket) {
        Unit unit = state.byTicket.get(ticket);
        return unit != null
                && !unit.leaves
                && !state.moving.contains(ticket)
                && state.ledger.job(ticket).stay().leaving() == Job.Leaving.MOVES
                && !state.isAwaited(ticket);
    }

    @Override
    public long cost(int ticket) {
        Unit unit = state.byTicket.get(ticket);
        long ran = unit == null ? 0 : now - unit.began;
        return state.rules.costs().move(state.ledger.job(ticket), ran);
    }
}
