package facet.node.container;

import facet.doors.control.ControlException;
import facet.doors.control.PodOperations.PodContainer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Who creates the containers of pods, and by which annotations it says whose they are. Only those
 * of the one that runs here are looked at: what another one would write may come from the pod's
 * owner, as annotations of the pod that were passed on.
 */
enum PodRuntime {
    /** containerd, internal/cri/annotations: written after those that are passed on. */
    CONTAINERD(
            "io.kubernetes.cri.container-type",
            "io.kubernetes.cri.sandbox-uid",
            "io.kubernetes.cri.container-name"),
    /** CRI-O, internal/annotations and the kubelet's labels. */
    CRI_O(
            "io.kubernetes.cri-o.ContainerType",
            "io.kubernetes.pod.uid",
            "io.kubernetes.container.name"),
    NONE("", "", "");

    /** A variable that the cluster sets where it has placed something for a container. */
    static final String MARK = "FACET_POD";

    private final String type;
    private final String uid;
    private final String container;

    PodRuntime(String type, String uid, String container) {
        this.type = type;
        this.uid = uid;
        this.container = container;
    }

    static PodRuntime parse(String text) throws ControlException {
        return Arrays.stream(values())
                .filter(each -> each.text().equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new ControlException(
                                "pods are managed by containerd, cri-o or none, not by '"
                                        + text
                                        + "'"));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A pod's sandbox is none of its containers: nothing runs in it. */
    Optional<PodContainer> identity(Map<String, String> annotations) throws ControlException {
        if (this == NONE || !annotations.getOrDefault(type, "").equals("container")) {
            return Optional.empty();
        }
        String its = annotations.getOrDefault(uid, "");
        String name = annotations.getOrDefault(container, "");
        if (its.isEmpty() || name.isEmpty()) {
            throw new ControlException(
                    "the container is one of a pod, but its annotations "
                            + uid
                            + " and "
                            + container
                            + " do not say which; a newer "
                            + text()
                            + " is needed");
        }
        return Optional.of(new PodContainer(its, name));
    }

    /** Whether it belongs to a pod, as a container or as its sandbox. */
    boolean isOfPod(Map<String, String> annotations) {
        return this != NONE && annotations.containsKey(type);
    }
}
