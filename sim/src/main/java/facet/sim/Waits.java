package facet.sim;

import java.util.Arrays;
import java.util.List;

/**
 * How long the tasks of one priority waited, in seconds.
 *
 * @param tasks how many began
 * @param median half of them wait no longer
 * @param most99 99 of 100 wait no longer: of few large tasks this says nothing
 * @param byDemand the mean, a task for eight devices counted eight times
 */
public record Waits(
        int priority, int tasks, long median, long most99, double mean, double byDemand) {
    /** One that began. */
    record Wait(long seconds, long demand) {}

    static Waits of(int priority, List<Wait> all) {
        long[] sorted = all.stream().mapToLong(Wait::seconds).sorted().toArray();
        double demand = all.stream().mapToDouble(Wait::demand).sum();
        double weighted =
                all.stream().mapToDouble(each -> each.seconds() * (double) each.demand()).sum();
        return new Waits(
                priority,
                sorted.length,
                percentile(sorted, 50),
                percentile(sorted, 99),
                Arrays.stream(sorted).average().orElse(0),
                demand == 0 ? 0 : weighted / demand);
    }

    static long percentile(long[] sorted, int percent) {
        return sorted.length == 0 ? 0 : sorted[(int) ((long) (sorted.length - 1) * percent / 100)];
    }
}
