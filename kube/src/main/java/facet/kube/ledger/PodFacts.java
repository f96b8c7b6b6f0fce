package facet.kube.ledger;

import facet.kube.names.Names;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What placing has to know of a pod, beside what it wishes for.
 *
 * @param node on which it is; empty: none yet
 * @param over whether it has ended, or is gone
 * @param leaving whether it was told to end
 * @param gated whether it does not want to be scheduled yet
 * @param cpu thousandths of a processor
 * @param memory MiB
 * @param created seconds since 1970
 * @param grace seconds that it has when it is told to end
 * @param placement as it is written; empty: none
 */
public record PodFacts(
        String uid,
        String namespace,
        String name,
        String version,
        String node,
        boolean over,
        boolean leaving,
        boolean gated,
        String scheduler,
        int priority,
        boolean stays,
        int cpu,
        int memory,
        long created,
        long grace,
        String placement) {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
    private static final long USUAL_GRACE = 30;

    /** Of a pod that must not be told to leave. */
    private static final String STAYS = "facet.dev/stays";

    public static PodFacts of(Pod pod) {
        PodSpec spec = pod.getSpec();
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return new PodFacts(
                pod.getMetadata().getUid(),
                pod.getMetadata().getNamespace(),
                pod.getMetadata().getName(),
                text(pod.getMetadata().getResourceVersion()),
                text(spec.getNodeName()),
                phase != null && ENDED.contains(phase),
                pod.getMetadata().getDeletionTimestamp() != null,
                spec.getSchedulingGates() != null && !spec.getSchedulingGates().isEmpty(),
                text(spec.getSchedulerName()),
                spec.getPriority() == null ? 0 : spec.getPriority(),
                annotations != null && "true".equals(annotations.get(STAYS)),
                sum(spec, "cpu"),
                sum(spec, "memory"),
                seconds(pod.getMetadata().getCreationTimestamp()),
                spec.getTerminationGracePeriodSeconds() == null
                        ? USUAL_GRACE
                        : Math.clamp(spec.getTerminationGracePeriodSeconds(), 0L, 86_400L),
                annotations == null ? "" : annotations.getOrDefault(Names.PLACEMENT, ""));
    }

    /**
     * What the node has to have: of those that run together, and of the largest that runs before.
     */
    private static int sum(PodSpec spec, String resource) {
        long together = amount(spec.getOverhead(), resource);
        for (Container each : list(spec.getContainers())) {
            together += requested(each, resource);
        }
        long before = 0;
        for (Container each : list(spec.getInitContainers())) {
            if ("Always".equals(each.getRestartPolicy())) {
                together += requested(each, resource);
            } else {
                before = Math.max(before, requested(each, resource));
            }
        }
        return (int) Math.min(Integer.MAX_VALUE / 2, Math.max(together, before));
    }

    private static int requested(Container container, String resource) {
        if (container.getResources() == null) {
            return 0;
        }
        Map<String, Quantity> requests = container.getResources().getRequests();
        Map<String, Quantity> limits = container.getResources().getLimits();
        boolean said = requests != null && requests.containsKey(resource);
        return amount(said ? requests : limits, resource);
    }

    private static int amount(@Nullable Map<String, Quantity> amounts, String resource) {
        Quantity quantity = amounts == null ? null : amounts.get(resource);
        return resource.equals("cpu") ? Amounts.thousandths(quantity) : Amounts.mebibytes(quantity);
    }

    private static long seconds(@Nullable String time) {
        try {
            return time == null ? 0 : Instant.parse(time).getEpochSecond();
        } catch (DateTimeParseException e) {
            return 0;
        }
    }

    private static <T> List<T> list(@Nullable List<T> mayBeMissing) {
        return mayBeMissing == null ? List.of() : mayBeMissing;
    }

    private static String text(@Nullable String mayBeMissing) {
        return mayBeMissing == null ? "" : mayBeMissing;
    }

    /** Namespace and name. */
    public String path() {
        return namespace + "/" + name;
    }

    public boolean isBound() {
        return !node.isEmpty();
    }

    /** What it has; nothing where it is of nobody's making or cannot be read. */
    public @Nullable Placed placed() {
        if (placement.isEmpty()) {
            return null;
        }
        try {
            return Placed.parse(placement);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
