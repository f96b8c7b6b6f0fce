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
        credit.owe(100);
        assertEquals(0, credit.pay(0));
        assertEquals(60, credit.pay(60));
        assertEquals(40, credit.pay(60));
        assertEquals(0, credit.pay(60));
    }

    @Test
    void whoOwesMuchWaitsUntilSomeIsPaid() {
        CompileCredit credit = new CompileCredit(0);
        credit.owe(CompileCredit.MOST_OWED);
        assertTrue(credit.owesMuch());
        assertEquals(1, credit.pay(1));
        assertFalse(credit.owesMuch());
    }

    @Test
    void whatItLeftUnusedPaysAndIsNotSavedUp() {
        CompileCredit credit = new CompileCredit(0);
        credit.owe(100);
        credit.forgive(-5);
        assertEquals(30, credit.pay(30));
        credit.forgive(60);
        assertEquals(10, credit.pay(SECOND));
        credit.forgive(SECOND);
        credit.owe(7);
        assertEquals(7, credit.pay(SECOND));
    }
}
