package facet.host.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SharesTest {
    private static int takeAll(Shares shares) {
        int views = 0;
        while (shares.takePieces(2)) {
            views++;
        }
        return views;
    }

    /**
     * Slices come and map as much as they are let: each of them, and the process, has some left.
     */
    @Test
    void mappingsOfAProcessAreNotUsedUp() {
        Maps maps = new Maps(1000);
        List<Shares> slices = new ArrayList<>();
        int views = 0;
        for (int i = 0; i < 6; i++) {
            Shares next = new Shares(maps);
            slices.add(next);
            int had = takeAll(next);
            assertTrue(had > 0, "slice " + i + " has none");
            views += had;
        }
        // A view of two pieces has a guard on either side.
        assertTrue(4 * views <= 1000, views + " views");
        Shares last = slices.getLast();
        assertFalse(last.takePieces(2));
        last.givePieces(2);
        assertTrue(last.takePieces(2));
    }

    @Test
    void whatIsGivenBackOthersMayHave() {
        Maps maps = new Maps(1000);
        Shares first = new Shares(maps);
        int most = takeAll(first);
        for (int i = 0; i < most; i++) {
            first.givePieces(2);
        }
        assertEquals(most, takeAll(new Shares(maps)));
        assertFalse(first.takePieces(1 << 30));
        assertFalse(first.takePieces(Integer.MAX_VALUE));
    }
}
