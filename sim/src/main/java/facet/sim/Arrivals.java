package facet.sim;

import facet.place.Cluster;
import facet.place.Request;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What arrives when a cluster is filled, drawn from a trace as the authors of FGD do: all tasks in
 * random order, then more of them, drawn one by one, until they ask for so much of all devices. Of
 * a trace that asks for more, tasks are left out at random.
 */
final class Arrivals {
    private Arrivals() {}

    /**
     * @param ratio of all devices of the cluster; 1.3 is 130 %
     */
    static List<Request> draw(Trace trace, double ratio, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Request> all =
                trace.tasks().stream()
                        .sorted(Comparator.comparing(Task::name))
                        .map(Task::request)
                        .toList();
        List<Request> drawn = Shuffled.of(all, random);
        long sum = all.stream().mapToLong(Request::demand).sum();
        double target =
                ratio
                        * Cluster.WHOLE
                        * trace.nodes().stream().mapToLong(each -> each.devices()).sum();
        while (sum > target) {
            sum -= drawn.remove(random.nextInt(drawn.size())).demand();
        }
        // A request ends it that with one of its devices would be too much: so the authors count.
        while (sum > 0) {
            Request next = all.get(random.nextInt(all.size()));
            if (sum + next.thousandths() > target) {
                break;
            }
            sum += next.demand();
            drawn.add(next);
        }
        return drawn;
    }
}
