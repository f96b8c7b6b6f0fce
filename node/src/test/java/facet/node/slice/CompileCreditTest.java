package facet.node.slice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CompileCreditTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void itIsSpentAndComesBackSlowly() {
        CompileCredit credit = new CompileCredit(0);
        assertFalse(credit.isSpent(0));
        credit.spend(CompileCredit.MOST, 0);
        assertTrue(credit.isSpent(0));
        assertFalse(credit.isSpent(SECOND));
        credit.spend(SECOND / 50, SECOND);
        assertTrue(credit.isSpent(SECOND));
    }

    /** Whoever makes code all the time has a fiftieth of a core, and its first seconds. */
    @Test
    void neverMoreThanAtFirst() {
        CompileCredit credit = new CompileCredit(0);
        long hour = 3600 * SECOND;
        assertFalse(credit.isSpent(hour));
        credit.spend(CompileCredit.MOST, hour);
        assertTrue(credit.isSpent(hour));
    }

    @Test
    void whatWasHadIsPaidInPartsOfWhatItHasOfTheDevice() {
        CompileCredit credit = new CompileCredit(0);
        assertEquals(0, credit.pay(SECOND));
        credit.spend(100, 0);
        assertTrue(credit.owes());
        assertEquals(0, credit.pay(0));
        assertEquals(60, credit.pay(60));
        assertEquals(40, credit.pay(60));
        assertFalse(credit.owes());
        assertEquals(0, credit.pay(60));
    }
}
