package facet.sim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** What became of all tasks of a run. */
record Lived(Collection<Life> all) {
    /** Of those who began, with at least that priority; the shortest first. */
    long[] waits(int priority) {
        return all.stream()
                .filter(each -> each.hasBegun && each.job.priority() >= priority)
                .mapToLong(each -> each.waited)
                .sorted()
                .toArray();
    }

    /** By priority, the highest first. */
    List<Waits> classes() {
        TreeMap<Integer, List<Waits.Wait>> classes = new TreeMap<>(Comparator.reverseOrder());
        for (Life each : all) {
            if (each.hasBegun) {
                classes.computeIfAbsent(each.job.priority(), priority -> new ArrayList<>())
                        .add(new Waits.Wait(each.waited, each.task.request().demand()));
            }
        }
        return classes.entrySet().stream()
                .map(each -> Waits.of(each.getKey(), each.getValue()))
                .toList();
    }

    /** The highest priority. */
    int highest() {
        return all.stream().mapToInt(each -> each.job.priority()).max().orElse(0);
    }

    /** How many waited, or still do. */
    int waited() {
        return (int) all.stream().filter(each -> !each.hasBegun || each.waited > 0).count();
    }

    /** How many never began. */
    int never() {
        return (int) all.stream().filter(each -> !each.hasBegun).count();
    }
}
