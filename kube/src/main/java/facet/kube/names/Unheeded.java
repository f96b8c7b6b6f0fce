package facet.kube.names;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a pod demands of its node that facet-scheduler does not look at. Such a pod is not placed
 * where it may be wrong; mere preferences are passed over.
 */
public final class Unheeded {
    /** Of a pod whose volumes are reached from every node. */
    public static final String VOLUMES = "facet.dev/volumes";

    private static final String ANYWHERE = "anywhere";

    private Unheeded() {}

    /** In words; empty: nothing. */
    public static String of(Pod pod) {
        PodSpec spec = pod.getSpec();
        List<String> found = new ArrayList<>();
        Affinity affinity = spec.getAffinity();
        if (affinity != null
                && affinity.getPodAffinity() != null
                && isThere(
                        affinity.getPodAffinity()
                                .getRequiredDuringSchedulingIgnoredDuringExecution())) {
            found.add("required podAffinity");
        }
        if (affinity != null
                && affinity.getPodAntiAffinity() != null
                && isThere(
                        affinity.getPodAntiAffinity()
                                .getRequiredDuringSchedulingIgnoredDuringExecution())) {
            found.add("required podAntiAffinity");
        }
        if (list(spec.getTopologySpreadConstraints()).stream()
                .anyMatch(each -> !"ScheduleAnyway".equals(each.getWhenUnsatisfiable()))) {
            found.add("topologySpreadConstraints with DoNotSchedule");
        }
        if (hasHostPort(spec.getContainers()) || hasHostPort(spec.getInitContainers())) {
            found.add("hostPort");
        }
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        boolean anywhere = annotations != null && ANYWHERE.equals(annotations.get(VOLUMES));
        if (!anywhere
                && list(spec.getVolumes()).stream()
                        .anyMatch(each ->
                                each.getPersistentVolumeClaim() != null
                                        || each.getEphemeral() != null)) {
            found.add(
                    "volumes by claims (annotation "
                            + VOLUMES
                            + ": anywhere, if all nodes reach them)");
        }
        return found.isEmpty()
                ? ""
                : "facet-scheduler does not look at "
                        + String.join(", ", found)
                        + "; schedulerName: default-scheduler, with Facet's extender, does";
    }

    private static boolean hasHostPort(@Nullable List<Container> containers) {
        return list(containers).stream()
                .flatMap(each -> list(each.getPorts()).stream())
                .map(ContainerPort::getHostPort)
                .filter(Objects::nonNull)
                .anyMatch(each -> each > 0);
    }

    private static boolean isThere(@Nullable List<?> list) {
        return list != null && !list.isEmpty();
    }

    private static <T> List<T> list(@Nullable List<T> mayBeMissing) {
        return mayBeMissing == null ? List.of() : mayBeMissing;
    }
}
