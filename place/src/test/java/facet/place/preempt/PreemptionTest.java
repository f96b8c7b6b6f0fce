package facet.place.preempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.place.Cluster;
import facet.place.Ledger;
import facet.place.Models;
import facet.place.Names;
import facet.place.Node;
import facet.place.Placer;
import facet.place.Policies;
import facet.place.Proposal;
import facet.place.Request;
import facet.place.Share;
import facet.place.Traits;
import facet.place.Trial;
import facet.place.Where;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PreemptionTest {
    private static final long SEED = Long.getLong("facet.seed", 7);

    /** Levels and costs by ticket, and a number of victims that may leave together. */
    private record Fixed(Map<Integer, Integer> units, long[] levels, long[] costs, int most)
            implements Victims {
        @Override
        public int unit(int ticket) {
            return units.getOrDefault(ticket, NOBODY);
        }

        @Override
        public long level(int unit) {
            return levels[unit];
        }

        @Override
        public long cost(int unit) {
            return costs[unit];
        }

        @Override
        public boolean allows(List<Integer> chosen) {
            return chosen.size() <= most;
        }
    }

    private record Price(long level, long cost, int count) implements Comparable<Price> {
        @Override
        public int compareTo(Price other) {
            int byLevel = Long.compare(level, other.level);
            int byCost = Long.compare(cost, other.cost);
            return byLevel != 0
                    ? byLevel
                    : byCost != 0 ? byCost : Integer.compare(count, other.count);
        }
    }

    private static Request request(SplittableRandom random, int kinds) {
        int cpu = random.nextInt(0, 5) * 1000;
        int memory = random.nextInt(0, 4) * 10;
        return switch (random.nextInt(kinds)) {
            case 0, 1 -> new Request(1, random.nextInt(1, 10) * 100, Names.ANY, cpu, memory);
            case 2 -> new Request(1, 1000, Names.ANY, cpu, memory);
            case 3 ->
                    new Request(
                            1,
                            new Share(
                                    random.nextInt(0, 6) * 100,
                                    random.nextInt(1, 9) * 100,
                                    random.nextInt(0, 3) * 200,
                                    0),
                            Where.ANYWHERE,
                            cpu,
                            memory);
            case 4 -> new Request(2, random.nextInt(1, 11) * 100, Names.ANY, cpu, memory);
            default -> new Request(0, 0, Names.ANY, 1000 + cpu, memory);
        };
    }

    /** All sets of units on all nodes, one by one. */
    private static Optional<Price> exhaustive(Placer placer, Request request, Fixed victims) {
        Ledger ledger = placer.ledger();
        Price best = null;
        for (int node = 0; node < ledger.cluster().nodes(); node++) {
            List<Integer> units =
                    ledger.on(node).stream()
                            .map(victims::unit)
                            .filter(each -> each != Victims.NOBODY)
                            .distinct()
                            .toList();
            for (int set = 1; set < 1 << units.size(); set++) {
                List<Integer> chosen = new ArrayList<>();
                long cost = 0;
                long level = Long.MIN_VALUE;
                for (int i = 0; i < units.size(); i++) {
                    if ((set >> i & 1) != 0) {
                        chosen.add(units.get(i));
                        cost += victims.cost(units.get(i));
                        level = Math.max(level, victims.level(units.get(i)));
                    }
                }
                Price price = new Price(level, cost, chosen.size());
                if (victims.allows(chosen)
                        && (best == null || price.compareTo(best) < 0)
                        && fitsWithout(placer, request, node, chosen, victims)) {
                    best = price;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private static boolean fitsWithout(
            Placer placer, Request request, int node, List<Integer> units, Fixed victims) {
        try (Trial trial = new Trial(placer.ledger())) {
            for (int ticket : placer.ledger().on(node)) {
                if (units.contains(victims.unit(ticket))) {
                    trial.without(ticket);
                }
            }
            return placer.proposeOn(node, request).isPresent();
        }
    }

    @Test
    void takesNoMoreThanExhaustiveSearchDoes() {
        SplittableRandom random = new SplittableRandom(SEED);
        int found = 0;
        for (int round = 0; round < 1500; round++) {
            List<Node> nodes = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Traits traits = Traits.NONE.withDeviceMemory(1000);
                nodes.add(new Node("n" + i, "x", 1 + random.nextInt(3), 20_000, 100).with(traits));
            }
            Cluster cluster = new Cluster(nodes, new Models());
            Placer placer = new Placer(cluster, Policies.named("random"), List.of(), round);
            Map<Integer, Integer> units = new HashMap<>();
            int count = 0;
            for (int i = 0; i < 14; i++) {
                Optional<facet.place.Placement> place = placer.place(request(random, 6));
                // Some may not leave, some leave together with another.
                if (place.isPresent() && random.nextInt(8) > 0) {
                    units.put(
                            place.get().ticket(),
                            count > 0 && random.nextInt(5) == 0 ? random.nextInt(count) : count++);
                }
            }
            Fixed victims =
                    new Fixed(
                            units,
                            random.longs(count, 0, 3).toArray(),
                            random.longs(count, 0, 6).toArray(),
                            1 + random.nextInt(8));
            Request wanted = request(random, 5);
            if (placer.propose(wanted).isPresent()) {
                continue;
            }
            String where = "seed " + SEED + ", round " + round;
            long used = cluster.used();
            Optional<Price> expected = exhaustive(placer, wanted, victims);
            Optional<Eviction> actual = new Preemption(placer).find(wanted, victims, List.of());
            assertEquals(
                    expected,
                    actual.map(each -> new Price(each.level(), each.cost(), each.units().size())),
                    where);
            if (actual.isPresent()) {
                found++;
                Proposal place = actual.get().where();
                assertTrue(
                        fitsWithout(placer, wanted, place.node(), actual.get().units(), victims),
                        where);
                for (int spared : actual.get().units()) {
                    List<Integer> others = new ArrayList<>(actual.get().units());
                    others.remove(Integer.valueOf(spared));
                    assertFalse(
                            fitsWithout(placer, wanted, place.node(), others, victims),
                            where + ": " + spared + " leaves for nothing");
                }
            }
            assertEquals(used, cluster.used());
            placer.ledger().audit();
        }
        assertTrue(found > 300, "only " + found + " of the rounds had victims");
    }

    @Test
    void trialLeavesNoTrace() {
        Cluster cluster = new Cluster(List.of(new Node("a", "x", 2, 8000, 100)), new Models());
        Ledger ledger = new Ledger(cluster);
        int ticket = ledger.enter(new Request(1, 600, Names.ANY, 1000, 10), 0, 0b01);
        long version = cluster.version(0);
        try (Trial trial = new Trial(ledger)) {
            trial.without(ticket);
            trial.with(new Request(2, 1000, Names.ANY, 8000, 0), 0, 0b11);
            assertFalse(trial.canReturn(ticket));
            assertEquals(2000, cluster.used());
        }
        assertEquals(version, cluster.version(0));
        ledger.audit();
        // What really happens meanwhile is not forgotten.
        try (Trial trial = new Trial(ledger)) {
            trial.with(new Request(1, 300, Names.ANY, 0, 0), 0, 0b10);
            ledger.leave(ticket);
        }
        assertTrue(cluster.version(0) > version);
        ledger.audit();
    }
}
