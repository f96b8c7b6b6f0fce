package facet.node.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.node.slice.CompileCredit;
import org.junit.jupiter.api.Test;

final class NewCodeTest {
    private static final long MILLI = 1_000_000L;
    private static final long LOOK = 20 * MILLI;

    private final NewCode code = new NewCode();
    private long now;

    /** A slice that uses its whole part, less what it pays. */
    private static final class Slice implements NewCode.Owner {
        private final CompileCredit credit = new CompileCredit(0);
        private final double part;
        private long used;
        private long billed;

        Slice(double part) {
            this.part = part;
        }

        @Override
        public CompileCredit credit() {
            return credit;
        }

        @Override
        public long used() {
            return used;
        }

        @Override
        public double part() {
            return part;
        }

        @Override
        public void bill(long nanos) {
            billed += nanos;
            used += nanos;
        }
    }

    /** Time goes by in which compilers have so much and the slices run so much. */
    private void look(long compilers, long running, Slice... slices) {
        for (Slice each : slices) {
            each.used += running;
        }
        now += LOOK;
        code.look(compilers, LOOK, now);
    }

    @Test
    void whoMakesMuchCodePaysForItAndNotWhoBeganBefore() {
        Slice neighbour = new Slice(1);
        Slice attacker = new Slice(1);
        code.made(neighbour, 20 * MILLI, now);
        for (int i = 0; i < 100; i++) {
            look(0, LOOK, neighbour);
        }
        for (int i = 0; i < 200; i++) {
            code.made(attacker, LOOK, now);
            look(LOOK, LOOK, neighbour, attacker);
        }
        assertEquals(0, neighbour.billed, "it is new no longer, whatever compilers do");
        assertTrue(attacker.billed > 100 * MILLI, () -> "billed " + attacker.billed);
    }

    @Test
    void twoWhoBeginShareTheBillByTheirCode() {
        Slice one = new Slice(1);
        Slice other = new Slice(1);
        code.made(one, 30 * MILLI, now);
        code.made(other, 10 * MILLI, now);
        look(8 * MILLI, LOOK, one, other);
        assertEquals(6.0 * MILLI, (double) one.billed, 1);
        assertEquals(2.0 * MILLI, (double) other.billed, 1);
    }

    @Test
    void whatIsBilledIsNotTakenForWhatItUsed() {
        Slice slice = new Slice(1);
        code.made(slice, 500 * MILLI, now);
        look(200 * MILLI, LOOK, slice);
        assertEquals(LOOK, slice.billed);
        look(0, LOOK / 2, slice);
        assertEquals(LOOK + LOOK / 2, slice.billed);
        look(0, 0, slice);
        assertEquals(LOOK + LOOK / 2, slice.billed, "it pays no more than it uses");
    }

    @Test
    void whoOwesMuchIsNotHelpedUntilItPaid() {
        Slice slice = new Slice(1);
        code.made(slice, 500 * MILLI, now);
        assertTrue(code.isSomebodyHelped(now));
        look(1_100 * MILLI, LOOK, slice);
        assertFalse(code.isSomebodyHelped(now));
        for (int i = 0; i < 10; i++) {
            look(0, LOOK, slice);
        }
        assertTrue(code.isSomebodyHelped(now));
    }

    @Test
    void aPartThatIsNotUsedPays() {
        Slice slice = new Slice(1);
        code.made(slice, 500 * MILLI, now);
        look(1_100 * MILLI, 0, slice);
        for (int i = 0; i < 10; i++) {
            look(0, 0, slice);
        }
        assertTrue(code.isSomebodyHelped(now));
        assertEquals(0, slice.billed);
    }

    @Test
    void whenCompilersAreIdleItIsNewNoLonger() {
        code.made(new Slice(1), 500 * MILLI, now);
        for (int i = 0; i < 49; i++) {
            look(0, 0);
        }
        assertFalse(code.isEmpty());
        look(0, 0);
        look(0, 0);
        assertTrue(code.isEmpty());
    }
}
