package facet.bench.isolation;

import java.util.Arrays;
import java.util.List;

/**
 * How much of the device a tenant's blocks had when, by the times that they noted themselves. Work
 * of other programs on the machine makes blocks longer, but does not change whose they are.
 */
final class Occupation {
    private final Sum begins;
    private final Sum ends;

    /**
     * @param blocks begin and end of each
     */
    Occupation(List<long[]> blocks) {
        begins = new Sum(blocks.stream().mapToLong(each -> each[0]).sorted().toArray());
        ends = new Sum(blocks.stream().mapToLong(each -> each[1]).sorted().toArray());
    }

    /** Times in order, with what it takes to sum the distances from them. */
    private static final class Sum {
        private final long[] times;
        private final double[] before;

        Sum(long[] times) {
            this.times = times;
            before = new double[times.length + 1];
            for (int i = 0; i < times.length; i++) {
                before[i + 1] = before[i] + (times[i] - times[0]);
            }
        }

        /** Nanoseconds since each of the times that have passed, together. */
        double since(long now) {
            int passed = passed(now);
            return passed == 0 ? 0 : (double) passed * (now - times[0]) - before[passed];
        }

        int passed(long now) {
            int index = Arrays.binarySearch(times, now);
            return index >= 0 ? index : -index - 1;
        }
    }

    /** Cores that its blocks had on average. */
    double cores(long from, long to) {
        return (busy(to) - busy(from)) / (to - from);
    }

    private double busy(long time) {
        return begins.since(time) - ends.since(time);
    }

    /** When the first block began at or after a time; {@link Long#MAX_VALUE}: never. */
    long nextBegin(long time) {
        int index = begins.passed(time);
        return index < begins.times.length ? begins.times[index] : Long.MAX_VALUE;
    }

    /** When the last block ended before a time; {@link Long#MIN_VALUE}: never. */
    long lastEnd(long time) {
        int index = ends.passed(time);
        return index > 0 ? ends.times[index - 1] : Long.MIN_VALUE;
    }
}
