package facet.place.defrag;

import facet.place.Cluster;
import facet.place.Ledger;
import facet.place.Placer;
import facet.place.Proposal;
import facet.place.Request;
import facet.place.Share;
import facet.place.Trial;
import facet.place.Where;
import facet.place.preempt.Eviction;
import facet.place.preempt.Preemption;
import facet.place.preempt.Victims;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A plan of moves that makes room. For every node the cheapest jobs are known without which the
 * request fits; the cheapest node is taken whose jobs all find a place elsewhere, as things are:
 * they have to be in both places for a while, so nobody goes where another has yet to leave.
 */
public final class Defragmentation {
    /** So many nodes are tried; then there is no plan. */
    private static final int MOST_NODES = 64;

    private final Placer placer;
    private final Ledger ledger;

    public Defragmentation(Placer placer) {
        this.placer = placer;
        ledger = placer.ledger();
    }

    /**
     * @param mostMoves more are not worth it
     * @param mostCost nor is more of this
     */
    public Optional<Moves> find(Request request, Movers movers, int mostMoves, long mostCost) {
        Victims victims =
                new Victims() {
                    @Override
                    public int unit(int ticket) {
                        return movers.canMove(ticket) ? ticket : NOBODY;
                    }

                    @Override
                    public long level(int unit) {
                        return 0;
                    }

                    @Override
                    public long cost(int unit) {
                        return movers.cost(unit);
                    }

                    @Override
                    public boolean allows(List<Integer> units) {
                        return units.size() <= mostMoves;
                    }
                };
        return new Preemption(placer)
                .onEachNode(request, victims)
                .filter(each -> each.cost() <= mostCost)
                .limit(MOST_NODES)
                .flatMap(each -> elsewhere(each, movers).stream())
                .findFirst();
    }

    /** Where those go who have to. */
    private Optional<Moves> elsewhere(Eviction eviction, Movers movers) {
        List<Moves.Move> moves = new ArrayList<>();
        try (Trial trial = new Trial(ledger)) {
            List<Integer> largestFirst =
                    eviction.units().stream()
                            .sorted(
                                    Comparator.comparingInt(
                                            each -> -ledger.job(each).request().demand()))
                            .toList();
            for (int ticket : largestFirst) {
                int from = ledger.node(ticket);
                long planned = eviction.where().devices();
                Optional<Proposal> to =
                        placer.propose(ledger.job(ticket).request(), node -> node != from)
                                .or(() -> besides(ticket, planned));
                if (to.isEmpty()) {
                    return Optional.empty();
                }
                trial.with(to.get());
                moves.add(new Moves.Move(ticket, to.get().anyVersion(), movers.cost(ticket)));
            }
            eviction.units().forEach(trial::without);
            Proposal where = eviction.where();
            if (!ledger.cluster().canTake(where.node(), where.devices(), where.request())) {
                return Optional.empty();
            }
        }
        return Optional.of(new Moves(eviction.where(), moves, eviction.cost()));
    }

    /** Another device of the same node: what is free on those that are wanted does not count. */
    private Optional<Proposal> besides(int ticket, long planned) {
        int node = ledger.node(ticket);
        Cluster cluster = ledger.cluster();
        try (Trial trial = new Trial(ledger)) {
            for (long rest = planned | ledger.devices(ticket); rest != 0; rest &= rest - 1) {
                int device = cluster.first(node) + Long.numberOfTrailingZeros(rest);
                Share free =
                        new Share(
                                cluster.free(device),
                                cluster.freeMemory(device),
                                cluster.freeCodec(device),
                                cluster.freeRender(device));
                if (free.equals(new Share(0, 0, 0, 0))) {
                    continue;
                }
                Request all = new Request(1, free, Where.ANYWHERE, 0, 0);
                if (cluster.canTake(node, Long.lowestOneBit(rest), all)) {
                    trial.with(all, node, Long.lowestOneBit(rest));
                }
            }
            return placer.proposeOn(node, ledger.job(ticket).request())
                    .filter(to -> (to.devices() & (planned | ledger.devices(ticket))) == 0);
        }
    }
}
