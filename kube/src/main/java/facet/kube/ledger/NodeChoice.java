package facet.kube.ledger;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a pod accepts, as the stock scheduler reads it: its selector, its required affinity,
 * what it tolerates.
 *
 * @param terms of the required affinity, one of which holds; none: all nodes do
 * @param deviceMemory MiB that devices have exactly; 0: whatever they have
 * @param models parts of the names of devices, one of them
 */
public record NodeChoice(
        Map<String, String> selector,
        List<NodeSelectorTerm> terms,
        List<Toleration> tolerations,
        int deviceMemory,
        List<String> models) {
    public static final NodeChoice ANY =
            new NodeChoice(Map.of(), List.of(), List.of(), 0, List.of());

    public static NodeChoice of(PodSpec spec) {
        List<NodeSelectorTerm> terms = List.of();
        var affinity = spec.getAffinity();
        if (affinity != null
                && affinity.getNodeAffinity() != null
                && affinity.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution()
                        != null) {
            terms =
                    affinity.getNodeAffinity()
                            .getRequiredDuringSchedulingIgnoredDuringExecution()
                            .getNodeSelectorTerms();
        }
        return new NodeChoice(
                spec.getNodeSelector() == null ? Map.of() : Map.copyOf(spec.getNodeSelector()),
                List.copyOf(terms),
                spec.getTolerations() == null ? List.of() : List.copyOf(spec.getTolerations()),
                0,
                List.of());
    }

    public NodeChoice withDevices(int memory, List<String> ofModels) {
        return new NodeChoice(selector, terms, tolerations, memory, List.copyOf(ofModels));
    }

    public boolean accepts(NodeFacts node) {
        return selector.entrySet().stream()
                        .allMatch(each -> each.getValue().equals(node.labels().get(each.getKey())))
                && (terms.isEmpty() || terms.stream().anyMatch(each -> holds(each, node)))
                && node.taints().stream().allMatch(this::tolerates)
                && (deviceMemory == 0 || deviceMemory == node.deviceMemory())
                && (models.isEmpty()
                        || models.stream()
                                .anyMatch(each ->
                                        node.model()
                                                .toLowerCase(java.util.Locale.ROOT)
                                                .contains(
                                                        each.toLowerCase(java.util.Locale.ROOT))));
    }

    /** An empty term holds nowhere. */
    private static boolean holds(NodeSelectorTerm term, NodeFacts node) {
        boolean empty = term.getMatchExpressions().isEmpty() && term.getMatchFields().isEmpty();
        return !empty
                && term.getMatchExpressions().stream()
                        .allMatch(each -> holds(each, node.labels().get(each.getKey())))
                && term.getMatchFields().stream()
                        .allMatch(each ->
                                holds(
                                        each,
                                        each.getKey().equals("metadata.name")
                                                ? node.name()
                                                : null));
    }

    private static boolean holds(NodeSelectorRequirement one, @Nullable String value) {
        return switch (one.getOperator()) {
            case "In" -> value != null && one.getValues().contains(value);
            case "NotIn" -> value == null || !one.getValues().contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> compare(value, one) > 0;
            case "Lt" -> compare(value, one) < 0;
            default -> false;
        };
    }

    /** 0 where one of them is no number: neither more nor less. */
    private static int compare(@Nullable String value, NodeSelectorRequirement one) {
        try {
            return value == null || one.getValues().size() != 1
                    ? 0
                    : Long.compare(
                            Long.parseLong(value), Long.parseLong(one.getValues().getFirst()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private boolean tolerates(Taint taint) {
        return tolerations.stream()
                .anyMatch(each ->
                        (blank(each.getEffect()) || each.getEffect().equals(taint.getEffect()))
                                && ("Exists".equals(each.getOperator())
                                        ? blank(each.getKey())
                                                || each.getKey().equals(taint.getKey())
                                        : Objects.equals(each.getKey(), taint.getKey())
                                                && text(each.getValue())
                                                        .equals(text(taint.getValue()))));
    }

    private static boolean blank(@Nullable String text) {
        return text == null || text.isEmpty();
    }

    private static String text(@Nullable String mayBeMissing) {
        return mayBeMissing == null ? "" : mayBeMissing;
    }
}
