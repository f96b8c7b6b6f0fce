package facet.bench.isolation;

import facet.bench.Table;
import java.util.List;

/**
 * When a core of the machine was away: lent to another machine by the hypervisor. What happened
 * then says nothing about Facet, and is left out and counted.
 *
 * @param all begin and end of each, in nanoseconds of {@link System#nanoTime}
 */
record Gaps(List<long[]> all) {
    static Gaps none() {
        return new Gaps(List.of());
    }

    boolean touch(long from, long to) {
        return nanos(from, to) > 0;
    }

    /** For how long cores were away in a while, all of them together. */
    long nanos(long from, long to) {
        long sum = 0;
        for (long[] each : all) {
            sum += Math.max(0, Math.min(to, each[1]) - Math.max(from, each[0]));
        }
        return sum;
    }

    /** The part of the cores' time in which they were there. */
    double presence(long from, long to) {
        return 1
                - (double) nanos(from, to)
                        / (to - from)
                        / Runtime.getRuntime().availableProcessors();
    }

    void tell(Table table) {
        if (!all.isEmpty()) {
            double millis = all.stream().mapToLong(each -> each[1] - each[0]).sum() / 1e6;
            double longest = all.stream().mapToLong(each -> each[1] - each[0]).max().getAsLong();
            table.note(
                    String.format(
                            java.util.Locale.ROOT,
                            "a core was away %d times, %.0f ms in all, %.0f ms at most",
                            all.size(),
                            millis,
                            longest / 1e6));
        }
    }
}
