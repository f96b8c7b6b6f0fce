package facet.kube.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** Nodes whose kubelet is kwok: pods that are bound to them run at once, and do nothing. */
public final class KwokNodes {
    private static final String ANNOTATION = "kwok.x-k8s.io/node";
    static final String SELECTOR = ANNOTATION + "=fake";

    private KwokNodes() {}

    /** Room for 250 pods; more can be added before it is created. */
    public static NodeBuilder node(String name) {
        Map<String, Quantity> room =
                Map.of(
                        "cpu", new Quantity("96"),
                        "memory", new Quantity("512Gi"),
                        "pods", new Quantity("250"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations(ANNOTATION, "fake")
                .addToLabels("kubernetes.io/hostname", name)
                .endMetadata()
                .withNewStatus()
                .withCapacity(room)
                .withAllocatable(room)
                .endStatus();
    }

    /** With extended resources, as a device plugin would announce them. */
    public static Node node(String name, Map<String, Quantity> more) {
        return node(name)
                .editStatus()
                .addToCapacity(more)
                .addToAllocatable(more)
                .endStatus()
                .build();
    }
}
