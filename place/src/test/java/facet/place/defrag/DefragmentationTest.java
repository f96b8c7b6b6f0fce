package facet.place.defrag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.place.Cluster;
import facet.place.Job;
import facet.place.Ledger;
import facet.place.Models;
import facet.place.Names;
import facet.place.Node;
import facet.place.Placer;
import facet.place.Policies;
import facet.place.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Plans of moves, and what they cost. */
class DefragmentationTest {
    private record Costs(Map<Integer, Long> cost, Set<Integer> fast) implements Movers {
        @Override
        public boolean canMove(int ticket) {
            return !fast.contains(ticket);
        }

        @Override
        public long cost(int ticket) {
            return cost.getOrDefault(ticket, 1L);
        }
    }

    private static Request part(int thousandths) {
        return new Request(1, thousandths, Names.ANY, 0, 0);
    }

    private static Placer placer(int nodes, int devices) {
        List<Node> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(new Node("n" + i, "x", devices, 0, 0));
        }
        return new Placer(new Cluster(all, new Models()), Policies.named("best-fit"), List.of(), 1);
    }

    /** Three devices with 400 each: none has 700, and one of the three could go to another. */
    @Test
    void theCheapestOfThoseWhoCanMoveMoves() {
        Placer placer = placer(3, 1);
        Ledger ledger = placer.ledger();
        int[] tickets = new int[3];
        for (int i = 0; i < 3; i++) {
            tickets[i] = ledger.enter(Job.of(part(400)), i, 1);
        }
        Map<Integer, Long> costs = Map.of(tickets[0], 5L, tickets[1], 3L, tickets[2], 4L);
        Defragmentation defragmentation = new Defragmentation(placer);
        Moves plan = find(defragmentation, new Costs(costs, Set.of()), 4, 100).orElseThrow();
        assertEquals(tickets[1], plan.moves().getFirst().ticket());
        assertEquals(1, plan.where().node());
        assertEquals(3, plan.cost());
        assertEquals(3, plan.moves().getFirst().cost());
        plan = find(defragmentation, new Costs(costs, Set.of(tickets[1])), 4, 100).orElseThrow();
        assertEquals(4, plan.cost());
        assertTrue(find(defragmentation, new Costs(costs, Set.of()), 4, 2).isEmpty(), "dear");
        assertTrue(find(defragmentation, new Costs(costs, Set.of()), 0, 100).isEmpty(), "no move");
        Set<Integer> all = Set.of(tickets[0], tickets[1], tickets[2]);
        assertTrue(find(defragmentation, new Costs(costs, all), 4, 100).isEmpty(), "all stay");
    }

    private static Optional<Moves> find(
            Defragmentation defragmentation, Movers movers, int mostMoves, long mostCost) {
        return defragmentation.find(part(700), movers, mostMoves, mostCost);
    }

    /**
     * Whatever the plan: it can be carried out in its order, costs what it says, and makes room.
     */
    @Test
    void plansCanBeCarriedOut() {
        SplittableRandom random = new SplittableRandom(3);
        int plans = 0;
        for (int round = 0; round < 400; round++) {
            Placer placer = placer(1 + random.nextInt(4), 1 + random.nextInt(3));
            Ledger ledger = placer.ledger();
            while (placer.place(part(100 * (1 + random.nextInt(6)))).isPresent()) {
                // Until something does not fit.
            }
            // Some leave, so that there are holes.
            for (int node = 0; node < ledger.cluster().nodes(); node++) {
                for (int each : List.copyOf(ledger.on(node))) {
                    if (random.nextInt(3) == 0) {
                        ledger.leave(each);
                    }
                }
            }
            Request wanted = part(100 * (5 + random.nextInt(6)));
            if (placer.propose(wanted).isPresent()) {
                continue;
            }
            Costs movers = new Costs(Map.of(), Set.of());
            Optional<Moves> found = new Defragmentation(placer).find(wanted, movers, 3, 3);
            if (found.isEmpty()) {
                continue;
            }
            plans++;
            Moves plan = found.get();
            assertEquals(plan.moves().size(), plan.cost());
            List<Integer> old = new ArrayList<>();
            for (Moves.Move each : plan.moves()) {
                // Both places for a while.
                ledger.enter(ledger.job(each.ticket()), each.to().node(), each.to().devices());
                old.add(each.ticket());
            }
            old.forEach(ledger::leave);
            ledger.enter(wanted, plan.where().node(), plan.where().devices());
            ledger.audit();
        }
        assertTrue(plans > 5, plans + " plans");
    }
}
