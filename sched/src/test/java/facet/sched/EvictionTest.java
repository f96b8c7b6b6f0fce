package facet.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import facet.sched.Eviction.Candidate;
import facet.sched.Eviction.Decision;
import facet.sched.Eviction.Owner;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictionTest {
    private static final long SECOND = 1_000_000_000;
    private static final long NOW = 100 * SECOND;
    private static final Eviction RULE = Eviction.STANDARD;

    private static Owner idle(int priority, long lastUse) {
        return new Owner(priority, false, lastUse, lastUse, 0);
    }

    private static Candidate<String> of(String name, Owner owner, long bytes) {
        return new Candidate<>(name, owner, bytes, owner.lastUse());
    }

    private static List<String> moved(List<Candidate<String>> all, long needed) {
        return switch (RULE.decide(all, needed, NOW)) {
            case Decision.Move<String>(List<String> moves) -> moves;
            case Decision<String> other -> fail("no move, but " + other);
        };
    }

    @Test
    void lowerPriorityGoesFirstAlthoughUsedLater() {
        List<Candidate<String>> all =
                List.of(
                        of("high", idle(5, NOW - 50 * SECOND), 10),
                        of("low", idle(1, NOW - SECOND), 10));
        assertEquals(List.of("low"), moved(all, 10));
        assertEquals(List.of("low", "high"), moved(all, 11));
    }

    @Test
    void amongEqualsTheLeastRecentlyUsedGoes() {
        List<Candidate<String>> all =
                List.of(
                        of("new", idle(0, NOW - SECOND), 10),
                        of("old", idle(0, NOW - 9 * SECOND), 10),
                        of("older", idle(0, NOW - 10 * SECOND), 10));
        assertEquals(List.of("older", "old"), moved(all, 15));
    }

    @Test
    void allocationsOfOneOwnerGoByTheirOwnUse() {
        Owner owner = idle(0, NOW - SECOND);
        List<Candidate<String>> all =
                List.of(
                        new Candidate<>("used", owner, 10, NOW - SECOND),
                        new Candidate<>("unused", owner, 10, NOW - 5 * SECOND));
        assertEquals(List.of("unused"), moved(all, 1));
    }

    @Test
    void whatIsNotNeededStays() {
        List<Candidate<String>> all =
                List.of(
                        of("tiny", idle(0, NOW - 9 * SECOND), 1),
                        of("large", idle(0, NOW - 8 * SECOND), 100));
        assertEquals(List.of("large"), moved(all, 50));
    }

    @Test
    void idleOnesGoBeforeThoseThatWorkWhateverTheirPriority() {
        Owner works = new Owner(0, true, NOW, NOW - 10 * SECOND, 0);
        List<Candidate<String>> all =
                List.of(of("works", works, 10), of("idle", idle(9, NOW - SECOND), 10));
        assertEquals(List.of("idle"), moved(all, 10));
        assertEquals(List.of("idle", "works"), moved(all, 20));
    }

    @Test
    void whoWorksKeepsItsMemoryForItsTime() {
        Owner works = new Owner(0, true, NOW, NOW - SECOND / 10, 0);
        Decision<String> decision = RULE.decide(List.of(of("works", works, 10)), 10, NOW);
        assertEquals(new Decision.Wait<String>(NOW - SECOND / 10 + RULE.leastStay()), decision);
    }

    @Test
    void aLongMoveGivesALongStay() {
        Owner works = new Owner(0, true, NOW, NOW - SECOND, SECOND);
        Decision<String> decision = RULE.decide(List.of(of("works", works, 10)), 10, NOW);
        assertEquals(new Decision.Wait<String>(NOW + 9 * SECOND), decision);
    }

    @Test
    void whoPausedForAMomentIsNotIdle() {
        Owner pauses = new Owner(0, false, NOW - 1000, NOW - 2000, 0);
        Decision<String> decision = RULE.decide(List.of(of("pauses", pauses, 10)), 10, NOW);
        assertEquals(new Decision.Wait<String>(NOW - 1000 + RULE.idleAfter()), decision);
        assertFalse(RULE.isMovable(pauses, NOW));
        assertTrue(RULE.isMovable(pauses, NOW + RULE.idleAfter()));
    }

    @Test
    void whenAllIsNotEnoughItSaysSo() {
        assertEquals(
                new Decision.Never<String>(),
                RULE.decide(List.of(of("one", idle(0, 0), 10)), 11, NOW));
    }

    /** Nanosecond clocks may start anywhere, and pass the end of the numbers. */
    @Test
    void clocksMayWrapAround() {
        long now = Long.MIN_VALUE + 5;
        Owner old = new Owner(0, false, now - 20 * SECOND, now - 20 * SECOND, 0);
        Owner fresh = new Owner(0, false, now - SECOND, now - SECOND, 0);
        List<Candidate<String>> all = List.of(of("fresh", fresh, 10), of("old", old, 10));
        assertEquals(new Decision.Move<>(List.of("old")), RULE.decide(all, 5, now));
    }

    /** A slice in the model below. */
    private static final class Busy {
        private final String name;
        private boolean resident;
        private long since;
        private long worked;
        private boolean waiting;

        Busy(String name) {
            this.name = name;
        }
    }

    /** Two that always work and need 70 % each: moves are few, and both get on. */
    @Test
    void twoBusySlicesTakeTurns() {
        long move = 20_000_000;
        long step = 1_000_000;
        long length = 60 * SECOND;
        List<Busy> both = List.of(new Busy("a"), new Busy("b"));
        int moves = 0;
        long now = NOW;
        while (now < NOW + length) {
            for (Busy each : both) {
                if (each.resident) {
                    continue;
                }
                each.waiting = true;
                List<Candidate<Busy>> there = new ArrayList<>();
                for (Busy other : both) {
                    if (other.resident) {
                        Owner owner = new Owner(0, true, now, other.since, move);
                        there.add(new Candidate<>(other, owner, 70, now));
                    }
                }
                if (there.isEmpty()) {
                    each.resident = true;
                    each.since = now;
                } else if (RULE.decide(there, 40, now) instanceof Decision.Move<Busy> out) {
                    out.all().forEach(gone -> gone.resident = false);
                    now += move;
                    moves++;
                    each.resident = true;
                    each.since = now;
                }
            }
            for (Busy each : both) {
                each.worked += each.resident ? step : 0;
            }
            now += step;
        }
        assertTrue(moves > 10, moves + " moves: nobody takes turns");
        assertTrue(moves <= length / RULE.leastStay(), moves + " moves");
        for (Busy each : both) {
            assertTrue(
                    each.waiting && each.worked > length * 4 / 10, each.name + " " + each.worked);
        }
    }
}
