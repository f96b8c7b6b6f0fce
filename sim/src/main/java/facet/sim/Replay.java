package facet.sim;

import facet.place.Policy;
import java.util.List;

/**
 * A trace with its own times: tasks arrive, wait in queues, run as long as they did and leave. When
 * some come or leave, all that wait are tried in their order. What happens to those for which there
 * is no room is a matter of rules: {@link RuleSets}.
 *
 * @param waitMedian seconds that a task waits in all, also after it was made to leave; half of all
 *     tasks wait no longer
 * @param waitMost99 99 of 100 tasks wait no longer
 * @param waitMean seconds
 * @param waitUrgent99 as {@code waitMost99}, of tasks with the highest priority in the trace
 * @param allocation percent of all devices in use, by time, while tasks ask for at least all of
 *     them; 0 when they never do
 * @param waited tasks that had to wait
 * @param never tasks that fit nowhere, also when all others have left
 * @param preemptions tasks that were made to leave, and began anew
 * @param moves tasks that went elsewhere
 * @param failures of nodes; what ran there began anew
 * @param lost percent of the time of devices that tasks had in vain, as they began anew
 * @param turns of the tide, where the trace has a calendar of pools
 * @param classes the waits of each priority, the highest first
 * @param waits seconds that 0, 1, 2 ... 100 percent of tasks wait at most
 * @param course devices in use over time, while tasks arrive
 */
public record Replay(
        String trace,
        String policy,
        String rules,
        long seed,
        int nodes,
        long waitMedian,
        long waitMost99,
        double waitMean,
        long waitUrgent99,
        double allocation,
        int waited,
        int never,
        int preemptions,
        int moves,
        int failures,
        double lost,
        Turns turns,
        List<Waits> classes,
        List<Long> waits,
        List<Course.Point> course) {
    /** The first rules: nothing is kept, nobody is made to leave. */
    public static Replay run(Trace trace, Policy policy, long seed) {
        return run(trace, policy, RuleSets.NAMES.getFirst(), seed);
    }

    /**
     * @param rules a name of {@link RuleSets}
     */
    public static Replay run(Trace trace, Policy policy, String rules, long seed) {
        return run(trace, policy, rules, Failures.NONE, seed);
    }

    /** The same on nodes that fail. */
    public static Replay run(
            Trace trace, Policy policy, String rules, Failures failures, long seed) {
        return new ReplayRun(trace, policy, rules, failures, seed).result();
    }
}
