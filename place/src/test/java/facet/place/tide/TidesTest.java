package facet.place.tide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.place.Cluster;
import facet.place.Job;
import facet.place.Ledger;
import facet.place.Models;
import facet.place.Names;
import facet.place.Node;
import facet.place.Request;
import facet.place.Share;
import facet.place.Traits;
import facet.place.Where;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TidesTest {
    private static final long HOUR = 3600;

    /** By day six of eight nodes serve, by night two. */
    private static final Tide TIDE =
            new Tide(
                    List.of(
                            new Tide.Turn(8 * HOUR, Map.of("serve", 6, "train", 2)),
                            new Tide.Turn(20 * HOUR, Map.of("serve", 2, "train", 6))));

    private final Map<Integer, Long> ends = new HashMap<>();
    private final Ledger ledger = new Ledger(cluster());
    private final Tides tides = new Tides(ledger, TIDE, HOUR, HOUR / 2);

    private static Cluster cluster() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            String pool = i < 6 ? "serve" : i < 8 ? "train" : "other";
            nodes.add(new Node("n" + i, "x", 4, 1000, 1000).with(Traits.NONE.withPool(pool)));
        }
        return new Cluster(nodes, new Models(), new Names("pools"), new Names("labels"));
    }

    private int enter(int node, long end, Job.Leaving leaving, long grace) {
        Job.Stay stay = new Job.Stay(Job.Stay.UNKNOWN, leaving, grace);
        Request part = new Request(1, Share.compute(500), Where.ANYWHERE, 0, 0);
        int ticket = ledger.enter(new Job("j" + end, part, "", 0, stay), node, 1);
        ends.put(ticket, end);
        return ticket;
    }

    private long end(int ticket) {
        return ends.getOrDefault(ticket, Job.Stay.UNKNOWN);
    }

    private List<Step> decide(long now) {
        return tides.decide(now, this::end);
    }

    private int nodes(String pool) {
        int count = 0;
        for (int i = 0; i < ledger.cluster().nodes(); i++) {
            Cluster cluster = ledger.cluster();
            count += cluster.pools().name(cluster.pool(i)).equals(pool) ? 1 : 0;
        }
        return count;
    }

    @Test
    void turnsLastPastMidnight() {
        assertEquals(2, TIDE.at(3 * HOUR).get("serve"));
        assertEquals(-4 * HOUR, TIDE.began(3 * HOUR));
        assertEquals(6, TIDE.at(Tide.DAY + 8 * HOUR).get("serve"));
        assertEquals(Tide.DAY + 8 * HOUR, TIDE.began(Tide.DAY + 9 * HOUR));
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new Tide(
                                List.of(
                                        new Tide.Turn(0, Map.of("a", 1)),
                                        new Tide.Turn(5, Map.of("a", 2)))));
        assertThrows(IllegalArgumentException.class, () -> new Tide.Turn(Tide.DAY, Map.of()));
    }

    @Test
    void thoseGoThatAreEmptySoonest() {
        long evening = 20 * HOUR;
        enter(0, evening + 9 * HOUR, Job.Leaving.RESTARTS, 60);
        enter(1, evening - HOUR / 2, Job.Leaving.RESTARTS, 60);
        assertEquals(List.of(), decide(evening - HOUR - 1));
        assertEquals(
                List.of(
                        new Step.Drain(2, "train"),
                        new Step.Drain(3, "train"),
                        new Step.Drain(4, "train"),
                        new Step.Drain(5, "train")),
                decide(evening - HOUR));
        assertTrue(ledger.cluster().isClosed(2));
        assertFalse(ledger.cluster().isClosed(0));
        assertEquals(List.of(), decide(evening - 1));
        assertEquals(4, decide(evening).size());
        assertEquals(6, nodes("train"));
        assertEquals(1, nodes("other"));
        assertFalse(ledger.cluster().isClosed(2));
    }

    @Test
    void whatEndsByItselfIsNotKilled() {
        long evening = 20 * HOUR;
        int soon = enter(0, evening + HOUR / 4, Job.Leaving.RESTARTS, 60);
        int late = enter(1, evening + HOUR, Job.Leaving.RESTARTS, 60);
        int just = enter(2, evening + HOUR / 2 + 50, Job.Leaving.RESTARTS, 60);
        int never = enter(3, Job.Stay.UNKNOWN, Job.Leaving.NEVER, 0);
        enter(4, Job.Stay.UNKNOWN, Job.Leaving.RESTARTS, 60);
        assertEquals(4, decide(evening - HOUR).size());
        List<Step> atTurn = decide(evening);
        assertEquals(List.of(new Step.Change(5, "train")), atTurn);
        ledger.leave(soon);
        assertEquals(List.of(new Step.Change(0, "train")), decide(evening + HOUR / 4));
        assertEquals(List.of(), decide(evening + HOUR / 2 - 1), "there is still time");
        assertEquals(
                List.of(new Step.Evict(1, late, evening + HOUR / 2 + 60)),
                decide(evening + HOUR / 2),
                "the one on node 2 ends within its grace");
        assertEquals(List.of(), decide(evening + HOUR / 2 + 1), "told once");
        ledger.leave(late);
        ledger.leave(just);
        assertEquals(2, decide(evening + HOUR / 2 + 60).size());
        assertEquals(6, nodes("train"));
        assertTrue(ledger.on(3).contains(never));
    }

    /** Whoever has not changed hands until the next turn stays. */
    @Test
    void theTideTurnsBack() {
        enter(0, Job.Stay.UNKNOWN, Job.Leaving.NEVER, 0);
        enter(1, Job.Stay.UNKNOWN, Job.Leaving.NEVER, 0);
        enter(2, Job.Stay.UNKNOWN, Job.Leaving.NEVER, 0);
        decide(19 * HOUR);
        decide(20 * HOUR);
        assertEquals(5, nodes("train"), "one of those with a job has to stay closed");
        List<Step> morning = decide(Tide.DAY + 7 * HOUR);
        assertTrue(morning.stream().anyMatch(each -> each instanceof Step.Stay), morning::toString);
        decide(Tide.DAY + 8 * HOUR);
        assertEquals(6, nodes("serve"));
        for (int i = 0; i < 9; i++) {
            assertFalse(ledger.cluster().isClosed(i), "node " + i);
        }
    }

    /** Weeks of jobs by chance: pools get their nodes, and nobody is told who would have ended. */
    @Test
    void weeksOfTides() {
        long seed = Long.getLong("facet.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Set<Integer> there = new HashSet<>();
        Map<Integer, Long> deadlines = new HashMap<>();
        int evicted = 0;
        for (long now = 0; now < 21 * Tide.DAY; now += 300) {
            String told = "seed " + seed + ", second " + now;
            for (int ticket : List.copyOf(there)) {
                if (end(ticket) <= now || deadlines.getOrDefault(ticket, Long.MAX_VALUE) <= now) {
                    ledger.leave(ticket);
                    tides.left(ticket);
                    there.remove(ticket);
                    deadlines.remove(ticket);
                }
            }
            for (Step each : decide(now)) {
                if (each instanceof Step.Evict evict) {
                    evicted++;
                    assertTrue(end(evict.ticket()) > evict.deadline(), told);
                    long past = now - TIDE.began(now);
                    assertTrue(past >= HOUR / 2, told + ": told before patience was over");
                    deadlines.put(evict.ticket(), evict.deadline());
                }
            }
            int node = random.nextInt(9);
            if (!ledger.cluster().isClosed(node) && ledger.on(node).size() < 2) {
                long lasts = (long) (-Math.log(1 - random.nextDouble()) * 2 * HOUR);
                there.add(enter(node, now + lasts, Job.Leaving.RESTARTS, 300));
            }
            long past = now - TIDE.began(now);
            if (past > HOUR) {
                assertEquals((int) TIDE.at(now).getOrDefault("serve", 0), nodes("serve"), told);
            }
            ledger.audit();
        }
        assertTrue(evicted > 0, "seed " + seed + ": some jobs last longer than patience");
    }
}
