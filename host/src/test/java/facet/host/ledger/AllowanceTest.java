package facet.host.ledger;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class AllowanceTest {
    private final Allowance allowance = new Allowance(0.1, 1000, 0);

    @Test
    void isThereFromTheBeginningAndSpent() {
        assertTrue(allowance.isLeft(0));
        allowance.spend(999, 0);
        assertTrue(allowance.isLeft(0));
        allowance.spend(1, 0);
        assertFalse(allowance.isLeft(0));
    }

    @Test
    void whatIsOwedIsEarnedFirst() {
        allowance.spend(1500, 0);
        assertFalse(allowance.isLeft(5000));
        assertTrue(allowance.isLeft(5010));
    }

    @Test
    void noMoreIsSavedThanTheLimit() {
        assertTrue(allowance.isLeft(1_000_000_000));
        allowance.spend(1000, 1_000_000_000);
        assertFalse(allowance.isLeft(1_000_000_000));
    }

    /** A clock that does not go on, or a time that is none, gives nothing. */
    @Test
    void oddTimesGiveNothing() {
        allowance.spend(-5, 0);
        allowance.spend(1000, 0);
        assertFalse(allowance.isLeft(-100));
    }
}
