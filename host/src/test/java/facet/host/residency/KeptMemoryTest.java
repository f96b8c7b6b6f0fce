package facet.host.residency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory of a context that others have open when it ends. */
@Timeout(120)
class KeptMemoryTest {
    private static final long MIB = 1 << 20;
    private static final long DEVICE = 32 * MIB;

    private final Residency book = new Residency("test", DEVICE);

    private static ContextHolding ofContext(FakeContext context) {
        context.holding.take(0, 20 * MIB, true);
        assertTrue(context.holding.stay(_ -> {}));
        return context.holding;
    }

    @Test
    void itHasItsRoomOnTheDeviceUntilTheyCloseIt() throws Exception {
        ContextHolding holding;
        try (FakeContext one = new FakeContext(book, "slice", 64 * MIB)) {
            holding = ofContext(one);
            holding.keep(8 * MIB);
            holding.keep(4 * MIB);
        }
        assertEquals(12 * MIB, book.figures().resident());
        assertEquals(20 * MIB, book.free());
        holding.unkeep(8 * MIB);
        assertEquals(4 * MIB, book.figures().resident());
        holding.unkeep(4 * MIB);
        assertEquals(0, book.figures().resident());
        book.close();
    }

    @Test
    void whatTheyHaveClosedGoesWithTheRest() throws Exception {
        try (FakeContext one = new FakeContext(book, "slice", 64 * MIB)) {
            ContextHolding holding = ofContext(one);
            holding.keep(8 * MIB);
            assertEquals(20 * MIB, book.figures().resident());
            holding.unkeep(8 * MIB);
            assertEquals(20 * MIB, book.figures().resident());
        }
        assertEquals(0, book.figures().resident());
        book.close();
    }
}
