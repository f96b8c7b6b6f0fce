package facet.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A device that does one launch after the other, and can only delay the next one. */
final class LaunchesTest {
    private static final int UNDER_WAY = 2;
    private static final long MILLISECOND = 1_000_000;
    private static final long STEP = 20_000;

    private final Board board = Board.ofLaunches(UNDER_WAY);
    private final List<Load> loads = new ArrayList<>();

    /** Seats of launches under way; the first one runs. */
    private final ArrayDeque<Integer> device = new ArrayDeque<>();

    private final Load[] on = new Load[UNDER_WAY];
    private final long[] left = new long[UNDER_WAY];
    private long now = 1_000 * MILLISECOND;
    private long idle;

    /** A slice that always has a launch of this length. */
    private static final class Load extends Share {
        private final long length;
        private boolean busy = true;
        private long ran;

        Load(Terms terms, long length) {
            super(terms.at(Instant.EPOCH));
            this.length = length;
        }
    }

    private Load add(Terms terms, long length) {
        Load load = new Load(terms, length);
        board.join(load, now);
        loads.add(load);
        return load;
    }

    private void run(long nanos) {
        for (long end = now + nanos; now < end; now += STEP) {
            for (Load each : loads) {
                int wanted = each.busy ? UNDER_WAY : 0;
                if (each.waiting() != wanted) {
                    board.waiting(each, wanted - each.waiting(), now);
                }
            }
            begin();
            Integer first = device.peek();
            if (first == null) {
                idle += STEP;
                continue;
            }
            on[first].ran += STEP;
            left[first] -= STEP;
            if (left[first] <= 0) {
                // What is measured is not the time since it was let through.
                board.release(device.remove(), on[first].length, now + STEP);
            }
        }
    }

    private void begin() {
        for (int seat = 0; seat < UNDER_WAY; seat++) {
            if (board.isFree(seat) && board.pick(seat, now) instanceof Load load) {
                on[seat] = load;
                left[seat] = load.length;
                device.add(seat);
            }
        }
    }

    private double percent(Load load, long before, long span) {
        return 100.0 * (load.ran - before) / span;
    }

    private void check(double... wanted) {
        run(500 * MILLISECOND);
        long[] before = loads.stream().mapToLong(each -> each.ran).toArray();
        long idleBefore = idle;
        long span = 10_000 * MILLISECOND;
        run(span);
        for (int i = 0; i < wanted.length; i++) {
            assertEquals(wanted[i], percent(loads.get(i), before[i], span), 1.5, "slice " + i);
            Load load = loads.get(i);
            long off = Math.abs(load.ran - board.used(load, now));
            assertTrue(off <= UNDER_WAY * load.length, "charged for " + off + " ns that differ");
        }
        double sum = java.util.Arrays.stream(wanted).sum();
        assertEquals(100 - sum, 100.0 * (idle - idleBefore) / span, 3, "idle");
    }

    @Test
    void fixedSharesHoldWhateverTheLengths() {
        add(Terms.fixed(70), MILLISECOND / 5);
        add(Terms.fixed(30), 10 * MILLISECOND);
        check(70, 30);
    }

    @Test
    void capsHoldWhereNobodyElseWants() {
        add(Terms.fixed(25), MILLISECOND);
        check(25);
    }

    @Test
    void burstLeavesNothingIdle() {
        add(Terms.burst(90), 50 * MILLISECOND);
        Load small = add(Terms.burst(10), MILLISECOND / 5);
        check(90, 10);
        loads.getFirst().busy = false;
        run(200 * MILLISECOND);
        long before = small.ran;
        run(100 * MILLISECOND);
        assertTrue(small.ran - before > 95 * MILLISECOND, "the rest was not used");
    }
}
