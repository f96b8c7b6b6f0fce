package facet.bench.isolation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.bench.Figure;
import facet.bench.Table;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SeriesTest {
    private static final int[] HALVES = {50, 50};

    @Test
    void errorsAreThoseOfAllTheTimeAndOfTheWorstSecond() {
        DeviceTimes times = new DeviceTimes();
        long[] had = {1_000, 5_000}; // what was before does not count
        times.add(had.clone(), 0);
        for (int step = 1; step <= 30; step++) {
            // The first gets all of the second second, and the other all of the third.
            had[0] += step <= 10 ? 50 : step <= 20 ? 100 : 0;
            had[1] += step <= 10 ? 50 : step <= 20 ? 0 : 100;
            times.add(had.clone(), step * 100_000_000L);
        }
        assertArrayEquals(new double[] {50, 50}, times.shares(), 1e-9);
        assertEquals(0, times.meanError(HALVES, Gaps.none()), 1e-9);
        assertEquals(50, times.worstError(HALVES, Gaps.none()), 1e-9);
        assertEquals(3_000, times.sum());
    }

    @Test
    void aSecondWithoutWorkIsWrong() {
        DeviceTimes times = new DeviceTimes();
        for (int step = 0; step <= 10; step++) {
            times.add(new long[] {7, 7}, step * 100_000_000L);
        }
        assertEquals(100, times.worstError(HALVES, Gaps.none()));
    }

    @Test
    void looksThatCameLateMakeNoShortSeconds() {
        DeviceTimes times = new DeviceTimes();
        // Ten looks at once behind a pause of a second; one slice has all while they are taken.
        times.add(new long[] {0, 0}, 0);
        for (int step = 0; step < 10; step++) {
            times.add(new long[] {1_000 + step, 1_000}, 1_000_000_000L + step);
        }
        assertEquals(0, times.worstError(HALVES, Gaps.none()), 0.3);
    }

    @Test
    void aSecondWithoutTheMachineIsNotLookedAt() {
        DeviceTimes times = new DeviceTimes();
        times.add(new long[] {0, 0}, 0);
        times.add(new long[] {1_000, 0}, 1_000_000_000L);
        times.add(new long[] {1_600, 400}, 2_000_000_000L);
        Gaps gaps = new Gaps(List.of(new long[] {100_000_000, 130_000_000}));
        assertEquals(50, times.worstError(HALVES, Gaps.none()), 1e-9);
        assertEquals(10, times.worstError(HALVES, gaps), 1e-9);
        assertEquals(30, times.meanError(HALVES, Gaps.none()), 1e-9);
        assertEquals(10, times.meanError(HALVES, gaps), 1e-9);
        assertTrue(gaps.touch(0, 100_000_001));
        assertFalse(gaps.touch(0, 100_000_000));
        assertEquals(10_000_000, gaps.nanos(120_000_000, 500_000_000));
    }

    @Test
    void progressIsEvenBetweenTwoLooks() {
        Progress progress =
                Progress.parse(
                        List.of("sample 1000000000 10", "sample 2000000000 30", "something else"));
        assertEquals(20, progress.rate(1_000_000_000, 2_000_000_000), 1e-9);
        assertEquals(20, progress.rate(1_250_000_000, 1_500_000_000), 1e-9);
        assertEquals(10, progress.rate(1_500_000_000, 2_500_000_000L), 1e-9);
        Stretch stretch = new Stretch(progress, 1_000_000_000, 2_000_000_000);
        int cores = Runtime.getRuntime().availableProcessors();
        assertEquals(20, stretch.rate(Gaps.none()), 1e-9);
        // All cores were away for half of the second.
        Gaps half = new Gaps(Collections.nCopies(cores, new long[] {1_200_000_000, 1_700_000_000}));
        assertEquals(40, stretch.rate(half), 1e-9);
    }

    @Test
    void occupationCountsPartsOfBlocks() {
        Occupation occupation =
                new Occupation(
                        List.of(
                                new long[] {100, 200},
                                new long[] {150, 250},
                                new long[] {400, 500}));
        assertEquals(2, occupation.cores(150, 200), 1e-9);
        assertEquals(1.5, occupation.cores(100, 200), 1e-9);
        assertEquals(0, occupation.cores(250, 400), 1e-9);
        assertEquals(0.5, occupation.cores(0, 400), 1e-9);
        assertEquals(400, occupation.nextBegin(151));
        assertEquals(150, occupation.nextBegin(150));
        assertEquals(250, occupation.lastEnd(400));
        assertEquals(Long.MIN_VALUE, occupation.lastEnd(200));
        assertEquals(Long.MAX_VALUE, occupation.nextBegin(401));
    }

    @Test
    void whatIsNoNumberMissesItsFigure() {
        Table table = new Table("shares", "");
        Figure.atMost(table, "error", 2, 2, " points");
        Figure.atLeast(table, "work", 0.97, 0.97, "");
        assertTrue(table.failures().isEmpty());
        Figure.atMost(table, "error", Double.NaN, 2, " points");
        Figure.atLeast(table, "work", Double.NaN, 0.97, "");
        Figure.atMost(table, "error", 2.5, 2, " points");
        assertEquals(3, table.failures().size());
        assertEquals(
                "error: 2.50 points, promised is at most 2.00 points", table.failures().getLast());
        assertFalse(table.failures().getFirst().isBlank());
    }
}
