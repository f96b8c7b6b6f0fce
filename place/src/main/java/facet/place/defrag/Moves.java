package facet.place.defrag;

import facet.place.Proposal;
import java.util.List;

/**
 * Jobs that go elsewhere so that a request fits, one after the other in this order. Each has its
 * new place free when it goes there, beside the old one.
 *
 * @param where the request goes then
 * @param cost of all moves
 */
public record Moves(Proposal where, List<Move> moves, long cost) {
    /**
     * @param cost as whoever asked counts it
     */
    public record Move(int ticket, Proposal to, long cost) {}

    public Moves {
        moves = List.copyOf(moves);
    }
}
