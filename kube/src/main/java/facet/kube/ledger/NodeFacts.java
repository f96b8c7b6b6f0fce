package facet.kube.ledger;

import facet.kube.names.Names;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What placing has to know of a node.
 *
 * @param devices those that are well
 * @param cpu thousandths of a processor
 * @param memory MiB
 * @param pods that it takes at most
 * @param taints that keep pods away
 * @param open whether it takes new pods at all
 * @param nextPool to which it is to go when nothing is on it; empty: it stays
 */
public record NodeFacts(
        String name,
        List<Device> devices,
        int cpu,
        int memory,
        int pods,
        Map<String, String> labels,
        List<Taint> taints,
        boolean open,
        String nextPool) {
    private static final Set<String> KEEP_AWAY = Set.of("NoSchedule", "NoExecute");
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String ISLAND = "facet.dev/island";
    private static final int USUAL_PODS = 110;

    public NodeFacts {
        devices = List.copyOf(devices);
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
    }

    /**
     * @throws IllegalArgumentException when its devices make no sense, in words
     */
    public static NodeFacts of(Node node) {
        Map<String, String> annotations = map(node.getMetadata().getAnnotations());
        String written = annotations.get(Names.DEVICES);
        List<Device> devices = written == null ? List.of() : Device.parse(written);
        Map<String, Quantity> room =
                node.getStatus() == null ? Map.of() : map(node.getStatus().getAllocatable());
        List<Taint> taints = node.getSpec() == null ? null : node.getSpec().getTaints();
        boolean cordoned =
                node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        String next = annotations.getOrDefault(Names.NEXT_POOL, "");
        return new NodeFacts(
                node.getMetadata().getName(),
                devices.stream().filter(Device::healthy).toList(),
                Amounts.thousandths(room.get("cpu")),
                Amounts.mebibytes(room.get("memory")),
                room.containsKey("pods") ? Amounts.whole(room.get("pods")) : USUAL_PODS,
                map(node.getMetadata().getLabels()),
                taints == null
                        ? List.of()
                        : taints.stream()
                                .filter(each -> KEEP_AWAY.contains(each.getEffect()))
                                .toList(),
                !cordoned && next.isEmpty() && node.getMetadata().getDeletionTimestamp() == null,
                next);
    }

    private static <V> Map<String, V> map(@Nullable Map<String, V> mayBeMissing) {
        return mayBeMissing == null ? Map.of() : mayBeMissing;
    }

    public String pool() {
        return labels.getOrDefault(Names.POOL, "");
    }

    public String zone() {
        return labels.getOrDefault(ZONE, "");
    }

    /** How many neighbouring devices are connected well; 0: all the same. */
    public int island() {
        try {
            return Math.clamp(Integer.parseInt(labels.getOrDefault(ISLAND, "0")), 0, 64);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Of all its devices; where they differ, all that there are. */
    public String model() {
        return devices.stream()
                .map(Device::model)
                .distinct()
                .sorted()
                .collect(Collectors.joining("+"));
    }

    /** MiB of each device: of the smallest, where they differ. */
    public int deviceMemory() {
        return (int)
                devices.stream().mapToLong(each -> each.memory() >> 20).min().stream()
                        .map(each -> Math.min(each, Integer.MAX_VALUE))
                        .sum();
    }

    /** The same, but for whether it is open. */
    public boolean isLike(NodeFacts other) {
        return new NodeFacts(
                        other.name,
                        other.devices,
                        other.cpu,
                        other.memory,
                        other.pods,
                        other.labels,
                        other.taints,
                        open,
                        nextPool)
                .equals(this);
    }
}
