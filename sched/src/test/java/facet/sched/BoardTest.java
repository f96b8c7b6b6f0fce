package facet.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BoardTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final Simulation simulation = new Simulation(2);

    /** Runs ten seconds and compares each second with what was promised. */
    private void assertShares(List<Simulation.Load> loads, int... promised) {
        long[] start = loads.stream().mapToLong(each -> each.ran).toArray();
        for (int second = 0; second < 10; second++) {
            long[] before = loads.stream().mapToLong(each -> each.ran).toArray();
            simulation.run(SECOND);
            for (int i = 0; i < promised.length; i++) {
                assertEquals(
                        promised[i],
                        simulation.percent(loads.get(i), before[i], SECOND),
                        4,
                        "share " + i + " in second " + second);
            }
        }
        for (int i = 0; i < promised.length; i++) {
            assertEquals(
                    promised[i],
                    simulation.percent(loads.get(i), start[i], 10 * SECOND),
                    1,
                    "share " + i);
        }
    }

    private List<Simulation.Load> busy(String policy, int[] promised, long[] lengths) {
        List<Simulation.Load> loads = new ArrayList<>();
        for (int i = 0; i < promised.length; i++) {
            Terms terms =
                    policy.equals("fixed") ? Terms.fixed(promised[i]) : Terms.burst(promised[i]);
            loads.add(simulation.add(terms, lengths[i % lengths.length], 4));
        }
        return loads;
    }

    @ParameterizedTest
    @CsvSource({
        "fixed, 50 50", "fixed, 70 30", "fixed, 90 10", "fixed, 50 30 20", "fixed, 25 25 25 25",
        "burst, 50 50", "burst, 70 30", "burst, 90 10", "burst, 50 30 20", "burst, 25 25 25 25"
    })
    void busySharesHold(String policy, String text) {
        int[] promised =
                java.util.Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
        assertShares(busy(policy, promised, new long[] {100_000, 50 * MILLI, MILLI}), promised);
    }

    @Test
    void aFixedShareIsNotExceededOnAnIdleDevice() {
        assertShares(busy("fixed", new int[] {30}, new long[] {10 * MILLI}), 30);
    }

    @Test
    void idleTimeIsLentAtOnceAndGivenBack() {
        Simulation.Load one = simulation.add(Terms.burst(50), MILLI, 4);
        Simulation.Load other = simulation.add(Terms.burst(50), 50 * MILLI, 4);
        simulation.run(SECOND);
        one.busy = false;
        simulation.run(20 * MILLI);
        long before = other.ran;
        simulation.run(100 * MILLI);
        assertEquals(100, simulation.percent(other, before, 100 * MILLI), 1);
        one.busy = true;
        one.firstRun = -1;
        long back = simulation.now;
        simulation.run(5 * MILLI);
        assertTrue(
                one.firstRun >= 0 && one.firstRun - back <= MILLI,
                "after " + (one.firstRun - back));
        long since = one.ran;
        simulation.run(100 * MILLI);
        assertTrue(simulation.percent(one, since, 100 * MILLI) >= 50);
    }

    @Test
    void idleTimeIsNotSavedUp() {
        Simulation.Load one = simulation.add(Terms.burst(50), MILLI, 4);
        Simulation.Load other = simulation.add(Terms.burst(50), MILLI, 4);
        one.busy = false;
        simulation.run(5 * SECOND);
        one.busy = true;
        long before = other.ran;
        simulation.run(SECOND);
        assertEquals(50, simulation.percent(other, before, SECOND), 4);
    }

    @Test
    void aHighPriorityRunsFirst() {
        Simulation.Load low = simulation.add(Terms.priority(0), 500 * MILLI, 4);
        Simulation.Load high = simulation.add(Terms.priority(10), MILLI, 2);
        high.busy = false;
        simulation.run(100 * MILLI);
        for (int i = 0; i < 50; i++) {
            high.busy = true;
            simulation.run(3 * MILLI);
            high.busy = false;
            simulation.run(7 * MILLI);
        }
        assertTrue(high.worstDelay <= 2 * MILLI, "low yielded after " + high.worstDelay);
        assertTrue(low.ran > SECOND / 2, "low had the rest, " + low.ran);
    }

    @Test
    void priorityIsAheadOfSharesAndBackgroundBehind() {
        Simulation.Load background = simulation.add(Terms.priority(0), MILLI, 4);
        Simulation.Load share = simulation.add(Terms.burst(50), MILLI, 4);
        simulation.run(SECOND);
        assertTrue(background.ran <= 8 * MILLI, "background ran " + background.ran);
        Simulation.Load high = simulation.add(Terms.priority(1), MILLI, 4);
        long before = share.ran;
        simulation.run(SECOND);
        assertTrue(share.ran - before <= 10 * MILLI);
        assertTrue(high.ran > 1_900 * MILLI);
    }

    @Test
    void turnsAreExclusiveAndEqual() {
        Simulation.Load one = simulation.add(Terms.turns(Duration.ofMillis(20)), MILLI, 4);
        Simulation.Load other = simulation.add(Terms.turns(Duration.ofMillis(20)), 30 * MILLI, 4);
        simulation.run(SECOND);
        int shared = 0;
        for (int i = 0; i < 20_000; i++) {
            simulation.run(50_000);
            shared += one.running > 0 && other.running > 0 ? 1 : 0;
        }
        assertTrue(shared < 400, "both ran in " + shared + " of 20000 steps");
        assertEquals(50, 100.0 * one.ran / (one.ran + other.ran), 3);
    }

    @Test
    void aTurnIsGivenUpWithoutWork() {
        Simulation.Load one = simulation.add(Terms.turns(Duration.ofSeconds(1)), MILLI, 1);
        Simulation.Load other = simulation.add(Terms.burst(50), MILLI, 4);
        simulation.run(50 * MILLI);
        one.busy = false;
        simulation.run(10 * MILLI);
        long before = other.ran;
        simulation.run(100 * MILLI);
        assertEquals(100, simulation.percent(other, before, 100 * MILLI), 1);
    }

    /** Who has work elsewhere is looked at later: its seat is back before what waited is gone. */
    @Test
    void aTurnIsGivenUpWhenWhatWaitedIsGone() {
        Board board = new Board(1);
        Entitlement turns = Terms.turns(Duration.ofSeconds(1)).at(Instant.EPOCH);
        Share one = new Share(turns, false);
        Share other = new Share(turns, false);
        board.join(one, 0);
        board.join(other, 0);
        board.waiting(one, 2, 0);
        assertSame(one, board.pick(0, 0));
        board.waiting(other, 1, 0);
        board.release(0, MILLI);
        board.waiting(one, -1, MILLI);
        assertSame(other, board.pick(0, 3 * MILLI));
    }

    @Test
    void aShareKeepsToItsSeats() {
        Terms one = new Terms(Policy.BURST, 0, 0, Terms.DEFAULT_TURN, Calendar.EMPTY, 1);
        assertShares(List.of(simulation.add(one, MILLI, 8)), 50);
    }

    @Test
    void withoutAPromiseThereIsTheRest() {
        Simulation.Load promised = simulation.add(Terms.burst(70), MILLI, 4);
        Simulation.Load one = simulation.add(Terms.REST, MILLI, 4);
        Simulation.Load other = simulation.add(Terms.REST, MILLI, 4);
        simulation.add(Terms.REST, MILLI, 4).busy = false;
        assertShares(List.of(promised, one, other), 70, 15, 15);
    }

    @Test
    void policiesMix() {
        Simulation.Load fixed = simulation.add(Terms.fixed(20), 50 * MILLI, 4);
        Simulation.Load burst = simulation.add(Terms.burst(30), MILLI, 4);
        Simulation.Load rest = simulation.add(Terms.REST, 200_000, 4);
        simulation.add(Terms.priority(0), MILLI, 4);
        assertShares(List.of(fixed, burst, rest), 20, 30, 50);
    }

    @Test
    void newTermsHoldAtOnce() {
        Simulation.Load one = simulation.add(Terms.fixed(50), 50 * MILLI, 4);
        Simulation.Load other = simulation.add(Terms.fixed(50), MILLI, 4);
        simulation.run(SECOND);
        simulation.board.change(one, Terms.fixed(20).at(java.time.Instant.EPOCH), simulation.now);
        simulation.board.change(other, Terms.fixed(80).at(java.time.Instant.EPOCH), simulation.now);
        assertShares(List.of(one, other), 20, 80);
    }

    @Test
    void sixtyFourSharesHold() {
        List<Simulation.Load> loads = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            loads.add(simulation.add(Terms.burst(1), i % 2 == 0 ? 100_000 : 20 * MILLI, 2));
        }
        simulation.run(10 * SECOND);
        for (Simulation.Load each : loads) {
            assertEquals(100.0 / 64, simulation.percent(each, 0, 10 * SECOND), 0.3);
        }
    }

    @Test
    void oneThatCannotUseItsShareDoesNotSaveItUp() {
        Simulation.Load narrow = simulation.add(Terms.burst(80), MILLI, 1);
        Simulation.Load wide = simulation.add(Terms.burst(20), MILLI, 4);
        simulation.run(5 * SECOND);
        simulation.board.change(
                narrow, Terms.burst(50).at(java.time.Instant.EPOCH), simulation.now);
        simulation.board.change(wide, Terms.burst(50).at(java.time.Instant.EPOCH), simulation.now);
        long before = wide.ran;
        simulation.run(SECOND);
        assertEquals(50, simulation.percent(wide, before, SECOND), 6);
    }

    @Test
    void oneThatWasHeldUpDoesNotPayForSeconds() {
        Board board = new Board(2);
        Simulation.Load held =
                simulation.new Load(Terms.fixed(20).at(java.time.Instant.EPOCH), 1, 1);
        board.join(held, 0);
        long now = SECOND;
        board.waiting(held, 1, now);
        assertEquals(held, board.pick(0, now));
        now += 3 * SECOND; // its core was away
        assertTrue(board.givesWay(0, now));
        board.release(0, now);
        board.waiting(held, 1, now);
        long freed = now;
        while (board.pick(0, now) == null) {
            now = board.nextPick(now);
        }
        assertTrue(now > freed + 50 * MILLI && now < freed + 150 * MILLI, "after " + (now - freed));
    }

    @Test
    void aSeatThatNobodyWantsSleeps() {
        Board board = new Board(2);
        Simulation.Load only =
                simulation.new Load(Terms.burst(50).at(java.time.Instant.EPOCH), 1, 1);
        board.join(only, 0);
        board.waiting(only, 1, SECOND);
        board.pick(0, SECOND);
        board.release(0, SECOND + MILLI);
        assertEquals(Board.NEVER, board.nextPick(SECOND + MILLI));
    }
}
