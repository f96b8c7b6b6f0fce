package facet.place;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Where a request fits and where not, in numbers and in words. Requests for a part of a device are
 * told device by device, others node by node. Each is counted once, under what it lacks first.
 *
 * @param nodes on which it fits
 * @param devices on which it fits; of requests for a part
 * @param lacks what others lack, and how near they are
 */
public record Explanation(Request request, int nodes, int devices, Map<Fit, Group> lacks) {
    /**
     * Those that lack the same.
     *
     * @param count devices, or nodes
     * @param most of what is lacking, where there is most: processors in thousandths, memory in
     *     MiB, thousandths of a device, or devices
     */
    public record Group(int count, int most) {
        private Group and(Group other) {
            return new Group(count + other.count, Math.max(most, other.most));
        }
    }

    public Explanation {
        lacks = Map.copyOf(lacks);
    }

    static Explanation of(Cluster cluster, Request request) {
        Map<Fit, Group> lacks = new EnumMap<>(Fit.class);
        int nodes = 0;
        int devices = 0;
        for (int node = 0; node < cluster.nodes(); node++) {
            Fit fit = Fit.of(cluster, node, request);
            nodes += fit == Fit.FITS ? 1 : 0;
            if (!request.isPart()) {
                if (fit != Fit.FITS) {
                    lacks.merge(fit, new Group(1, fit.there(cluster, node, request)), Group::and);
                }
                continue;
            }
            if (fit != Fit.FITS && !fit.isOfDevices()) {
                int count = Math.max(1, cluster.end(node) - cluster.first(node));
                lacks.merge(fit, new Group(count, fit.there(cluster, node, request)), Group::and);
                continue;
            }
            for (int device = cluster.first(node); device < cluster.end(node); device++) {
                Fit there = Fit.ofDevice(cluster, node, device, request.share());
                if (there == Fit.FITS) {
                    devices++;
                } else {
                    lacks.merge(
                            there, new Group(1, there.onDevice(cluster, node, device)), Group::and);
                }
            }
        }
        return new Explanation(request, nodes, devices, lacks);
    }

    public boolean fits() {
        return nodes > 0;
    }

    /** In words, a line for each kind of device or node. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                nodes == 0
                        ? "it fits nowhere"
                        : "it fits on "
                                + (request.isPart() ? count(devices, "device") + " of " : "")
                                + count(nodes, "node"));
        lines.addAll(lacking(request.isPart() ? "device" : "node"));
        return lines;
    }

    /**
     * What those lack on which it does not fit, a line for each kind.
     *
     * @param what they are: devices, or nodes
     */
    public List<String> lacking(String what) {
        List<String> lines = new ArrayList<>();
        for (Fit each : Fit.values()) {
            Group group = lacks.get(each);
            if (group != null) {
                boolean one = group.count() == 1;
                lines.add(
                        count(group.count(), what) + " " + each.words(request, one, group.most()));
            }
        }
        return lines;
    }

    /** The lines, each with its end. */
    public String text() {
        return String.join("\n", lines()) + "\n";
    }

    private static String count(int count, String what) {
        return count == 1 ? "1 " + what : count + " " + what + "s";
    }
}
