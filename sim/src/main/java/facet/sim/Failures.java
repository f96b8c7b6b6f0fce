package facet.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Nodes that fail by chance, and come back. What runs on a node is lost when it fails, and begins
 * anew; nothing is placed there until it is back.
 *
 * @param between seconds for which a node runs on average until it fails; 0: none ever fails
 * @param repair seconds until it is back
 */
public record Failures(long between, long repair) {
    public static final Failures NONE = new Failures(0, 0);

    /**
     * @param fails else it comes back
     */
    record Change(long time, int node, boolean fails) {}

    public Failures {
        if (between < 0 || repair < 0 || between > 0 && repair == 0) {
            throw new IllegalArgumentException(
                    "failures every " + between + " seconds, for " + repair + " seconds");
        }
    }

    /** What happens while tasks of a trace arrive, in the order of time; the seed decides. */
    List<Change> of(Trace trace, long seed) {
        List<Change> changes = new ArrayList<>();
        if (between == 0) {
            return changes;
        }
        long first = trace.tasks().stream().mapToLong(Task::arrives).min().orElse(0);
        long last = trace.tasks().stream().mapToLong(Task::arrives).max().orElse(0);
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int node = 0; node < trace.nodes().size(); node++) {
            SplittableRandom random = seeds.split();
            long time = after(first, random);
            while (time <= last) {
                changes.add(new Change(time, node, true));
                changes.add(new Change(time + repair, node, false));
                time = after(time + repair, random);
            }
        }
        changes.sort(Comparator.comparingLong(Change::time).thenComparingInt(Change::node));
        return changes;
    }

    private long after(long time, SplittableRandom random) {
        double wait = -Math.log(1 - random.nextDouble()) * between;
        return time + 1 + (long) Math.min(wait, 1e15);
    }
}
