package facet.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class HousekeepingTest {
    private static final long MIB = 1 << 20;

    @Test
    void nobodyIsDisturbedForLittle() {
        assertFalse(Housekeeping.isDue(80 * MIB, 10 * MIB, 0));
        assertTrue(Housekeeping.isDue(120 * MIB, 10 * MIB, 0));
    }

    /** A collection takes as long as what is alive is large: then it is done the more rarely. */
    @Test
    void muchThatIsAliveIsLookedAtRarely() {
        assertFalse(Housekeeping.isDue(1500 * MIB, 800 * MIB, 0));
        assertTrue(Housekeeping.isDue(1601 * MIB, 800 * MIB, 0));
    }

    @Test
    void aQuietMomentIsUsed() {
        assertTrue(Housekeeping.isDue(40 * MIB, 10 * MIB, 1));
        assertFalse(Housekeeping.isDue(20 * MIB, 10 * MIB, 1));
    }

    @Test
    void aQuietTimeIsUsedOnce() {
        assertFalse(Housekeeping.isDue(20 * MIB, 10 * MIB, 5));
        assertTrue(Housekeeping.isDue(20 * MIB, 10 * MIB, 6));
        assertFalse(Housekeeping.isDue(20 * MIB, 10 * MIB, 7));
    }
}
