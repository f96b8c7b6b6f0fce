package facet.host.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
    private final OpenFiles files = new OpenFiles(1000);

    private Tally tally(long objects) {
        return new Tally((session, fault) -> {}, objects, files);
    }

    @Test
    void aSliceThatFloodsLeavesHalfOfTheFiles() {
        Tally greedy = tally(1);
        int taken = 0;
        while (greedy.takeDescriptors(3)) {
            taken += 3;
        }
        assertTrue(taken > 490 && taken <= 500, taken + " of 1000");
        Tally other = tally(1);
        assertTrue(other.takeDescriptors(200));
        assertFalse(greedy.takeDescriptors(1), "the others have taken some since");
        greedy.giveDescriptors(taken);
        assertTrue(other.takeDescriptors(300));
        assertFalse(other.takeDescriptors(1));
    }

    @Test
    void theSameCodeCountsOnce() {
        Tally tally = tally(100);
        List<String> text = List.of("x".repeat(4000));
        for (int i = 0; i < 1000; i++) {
            assertTrue(tally.takeText(List.of("x".repeat(4000))));
        }
        assertFalse(tally.takeText(List.of("y".repeat(4000))), "two of them are too much");
        long objects = tally.objects();
        assertEquals(79, objects);
        for (int i = 0; i < 999; i++) {
            tally.giveText(text);
        }
        assertEquals(objects, tally.objects());
        tally.giveText(text);
        assertEquals(0, tally.objects());
        assertTrue(tally.beginImage(20_000));
        assertFalse(tally.beginImage(20_000));
        tally.endImage(20_000);
        assertEquals(0, tally.objects());
    }

    @Test
    void faultsAreCountedAndTheLastIsKept() {
        List<String> heard = new ArrayList<>();
        Tally tally = new Tally((session, fault) -> heard.add(session + " " + fault));
        tally.fault(1, "one");
        tally.fault(2, "two" + "!".repeat(10_000));
        assertEquals(2, tally.faults());
        assertEquals(500, tally.lastFault().length());
        assertEquals(List.of("1 one", "2 " + tally.lastFault()), heard);
    }
}
