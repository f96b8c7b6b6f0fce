package facet.host.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.host.ledger.UnsupportedCounts.Entry;
import facet.host.ledger.UnsupportedCounts.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnsupportedCountsTest {
    private final UnsupportedCounts counts = new UnsupportedCounts();

    @Test
    void theMostFrequentComesFirst() {
        assertTrue(counts.add(Kind.CALL, "cuGraphCreate"));
        assertTrue(counts.add(Kind.INSTRUCTION, "tex.2d.v4.f32.f32"));
        assertFalse(counts.add(Kind.INSTRUCTION, "tex.2d.v4.f32.f32"));
        assertEquals(
                List.of(
                        new Entry(Kind.INSTRUCTION, "tex.2d.v4.f32.f32", 2),
                        new Entry(Kind.CALL, "cuGraphCreate", 1)),
                counts.all());
    }

    @Test
    void aMillionNamesAreAsFewAsTheyMayBe() {
        for (int i = 0; i < 1_000_000; i++) {
            counts.add(Kind.CALL, "name" + i);
        }
        List<Entry> all = counts.all();
        assertEquals(UnsupportedCounts.MOST_NAMES + 1, all.size());
        assertEquals(
                new Entry(
                        Kind.CALL,
                        UnsupportedCounts.OTHERS,
                        1_000_000 - UnsupportedCounts.MOST_NAMES),
                all.getFirst());
        assertEquals(1_000_000, all.stream().mapToLong(Entry::count).sum());
    }

    @Test
    void namesCannotForgeAnything() {
        counts.add(Kind.CALL, "a\nfake_metric{slice=\"b\"} 7\u202e" + "x".repeat(10_000));
        counts.add(Kind.CALL, "");
        for (Entry each : counts.all()) {
            assertTrue(each.name().matches("[\\w.:$%(), ?-]{1,100}"), each.name());
        }
    }

    @Test
    void countsDoNotWrap() {
        counts.add(Kind.CALL, "a", Long.MAX_VALUE);
        counts.add(Kind.CALL, "a", Long.MAX_VALUE);
        counts.add(Kind.CALL, "a", -5);
        assertEquals(List.of(new Entry(Kind.CALL, "a", Long.MAX_VALUE)), counts.all());
    }

    @Test
    void whatWasToldIsNotToldAgain() {
        counts.add(Kind.CALL, "a", 2);
        assertEquals(List.of(new Entry(Kind.CALL, "a", 2)), counts.takeUntold());
        assertEquals(List.of(), counts.takeUntold());
        counts.add(Kind.CALL, "a");
        assertEquals(List.of(new Entry(Kind.CALL, "a", 1)), counts.takeUntold());
        assertEquals(List.of(new Entry(Kind.CALL, "a", 3)), counts.all());
    }
}
