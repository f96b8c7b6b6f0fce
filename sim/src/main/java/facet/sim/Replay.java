package facet.sim;

import facet.place.Cluster;
import facet.place.Placement;
import facet.place.Placer;
import facet.place.Policy;
import facet.place.Request;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * A trace with its own times: tasks arrive, wait in one queue, run as long as they did and leave.
 * When some leave, all that wait are tried again, in the order in which they came; those for which
 * there is no room do not hold up the others.
 *
 * @param waitMedian seconds; half of all tasks wait no longer
 * @param waitMost99 99 of 100 tasks wait no longer
 * @param waitMean seconds
 * @param allocation percent of all devices in use, by time, while tasks ask for at least all of
 *     them; 0 when they never do
 * @param waited tasks that had to wait
 * @param never tasks that fit nowhere, also when all others have left
 * @param waits seconds that 0, 1, 2 ... 100 percent of tasks wait at most
 * @param course devices in use over time, while tasks arrive
 */
public record Replay(
        String trace,
        String policy,
        long seed,
        int nodes,
        long waitMedian,
        long waitMost99,
        double waitMean,
        double allocation,
        int waited,
        int never,
        List<Long> waits,
        List<Course.Point> course) {
    private static final int POINTS = 200;

    /** A task on its way out. */
    private record Departure(long time, int ticket) {}

    public static Replay run(Trace trace, Policy policy, long seed) {
        return new Run(trace, policy, seed).result();
    }

    private static final class Run {
        private final Trace trace;
        private final Policy policy;
        private final long seed;
        private final Cluster cluster;
        private final Placer placer;
        private final PriorityQueue<Departure> departures =
                new PriorityQueue<>(
                        Comparator.comparingLong(Departure::time)
                                .thenComparingInt(Departure::ticket));
        private final Deque<Task> queue = new ArrayDeque<>();
        private final long[] waits;
        private final Course course;
        private int begun;
        private int waited;
        private long now;

        /** Thousandths of devices that the queue asks for. */
        private long waiting;

        private double busySeconds;
        private double usedSeconds;

        Run(Trace trace, Policy policy, long seed) {
            this.trace = trace;
            this.policy = policy;
            this.seed = seed;
            cluster = trace.cluster();
            placer = new Placer(cluster, policy, trace.requests(), seed);
            course = Course.of(trace, cluster.capacity(), POINTS);
            waits = new long[trace.tasks().size()];
        }

        Replay result() {
            List<Task> tasks =
                    trace.tasks().stream()
                            .sorted(
                                    Comparator.comparingLong(Task::arrives)
                                            .thenComparing(Task::name))
                            .toList();
            for (Task each : tasks) {
                departUntil(each.arrives());
                passTo(each.arrives());
                arrive(each);
            }
            departUntil(Long.MAX_VALUE);
            placer.ledger().audit();
            long[] sorted = Arrays.copyOf(waits, begun);
            Arrays.sort(sorted);
            return new Replay(
                    trace.name(),
                    policy.name(),
                    seed,
                    cluster.nodes(),
                    percentile(sorted, 50),
                    percentile(sorted, 99),
                    Arrays.stream(sorted).average().orElse(0),
                    busySeconds == 0 ? 0 : 100 * usedSeconds / busySeconds,
                    waited,
                    queue.size(),
                    Course.percentiles(sorted),
                    course.points());
        }

        /** Whoever leaves up to that time, and whoever gets a place by it. */
        private void departUntil(long time) {
            while (!departures.isEmpty() && departures.peek().time() <= time) {
                long next = departures.peek().time();
                passTo(next);
                while (!departures.isEmpty() && departures.peek().time() == next) {
                    placer.leave(departures.remove().ticket());
                }
                tryQueue();
            }
        }

        private void passTo(long time) {
            if (cluster.used() + waiting >= cluster.capacity()) {
                busySeconds += time - now;
                usedSeconds += (double) (time - now) * cluster.used() / cluster.capacity();
            }
            course.pass(now, time, cluster.used(), waiting);
            now = time;
        }

        private void arrive(Task task) {
            if (!begin(task, placer.place(task.request()))) {
                queue.add(task);
                waiting += task.request().demand();
                waited++;
            }
        }

        private void tryQueue() {
            Set<Request> failed = new HashSet<>();
            for (Iterator<Task> each = queue.iterator(); each.hasNext(); ) {
                Task task = each.next();
                if (failed.contains(task.request())) {
                    continue;
                }
                if (begin(task, placer.again(task.request()))) {
                    each.remove();
                    waiting -= task.request().demand();
                } else {
                    failed.add(task.request());
                }
            }
        }

        private boolean begin(Task task, Optional<Placement> place) {
            if (place.isEmpty()) {
                return false;
            }
            waits[begun++] = now - task.arrives();
            long end = now + task.leaves() - task.arrives();
            departures.add(new Departure(end, place.get().ticket()));
            return true;
        }

        private static long percentile(long[] sorted, int percent) {
            return sorted.length == 0
                    ? 0
                    : sorted[(int) ((long) (sorted.length - 1) * percent / 100)];
        }
    }
}
