package facet.sim;

import facet.place.Cluster;
import facet.place.Node;
import facet.place.Part;
import facet.place.Request;
import facet.place.Traits;
import facet.place.Where;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A trace with fewer nodes, so that its tasks do not all fit at once and policies have something to
 * decide.
 */
public final class Crowding {
    private record Change(long time, int demand) {}

    private Crowding() {}

    /**
     * Leaves out nodes at random until, at the busiest moment, tasks ask for so much of those that
     * stay. The last node on which some task fits is not left out.
     *
     * @param ratio 1.3 is 130 %
     */
    public static Trace of(Trace trace, double ratio, long seed) {
        double room = peak(trace) / ratio;
        List<Node> nodes = Shuffled.of(trace.nodes(), new SplittableRandom(seed));
        long capacity =
                nodes.stream().mapToLong(each -> (long) each.devices() * Cluster.WHOLE).sum();
        Map<Request, Integer> places = new HashMap<>();
        for (Request each : Set.copyOf(trace.requests())) {
            places.put(each, (int) nodes.stream().filter(node -> fits(trace, node, each)).count());
        }
        Iterator<Node> rest = nodes.iterator();
        while (capacity > room && rest.hasNext()) {
            Node next = rest.next();
            List<Request> there =
                    places.keySet().stream().filter(each -> fits(trace, next, each)).toList();
            if (there.stream().noneMatch(each -> places.getOrDefault(each, 0) == 1)) {
                there.forEach(each -> places.merge(each, -1, Integer::sum));
                capacity -= (long) next.devices() * Cluster.WHOLE;
                rest.remove();
            }
        }
        return trace.on(nodes);
    }

    /** On the node when it is empty. */
    private static boolean fits(Trace trace, Node node, Request request) {
        return request.devices() <= node.devices()
                && request.cpu() <= node.cpu()
                && request.memory() <= node.memory()
                && (request.devices() == 0 || request.accepts(trace.models().number(node.model())))
                && hasTraits(trace, node.traits(), request);
    }

    private static boolean hasTraits(Trace trace, Traits traits, Request request) {
        Where where = request.where();
        Part part = request.share().part();
        return (where.pools() >>> trace.pools().number(traits.pool()) & 1) != 0
                && (where.labels() & ~trace.labels().set(traits.labels())) == 0
                && request.share().memory() <= traits.deviceMemory()
                && request.share().burst() <= traits.promised()
                && (part == null || part.division().equals(traits.division()));
    }

    /** The most thousandths of devices that tasks ask for at the same time. */
    static long peak(Trace trace) {
        List<Change> changes = new ArrayList<>();
        for (Task each : trace.tasks()) {
            changes.add(new Change(each.arrives(), each.request().demand()));
            changes.add(new Change(each.leaves(), -each.request().demand()));
        }
        changes.sort(Comparator.comparingLong(Change::time).thenComparingInt(Change::demand));
        long sum = 0;
        long most = 0;
        for (Change each : changes) {
            sum += each.demand();
            most = Math.max(most, sum);
        }
        return most;
    }
}
