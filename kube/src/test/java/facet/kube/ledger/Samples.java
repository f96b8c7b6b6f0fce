package facet.kube.ledger;

import facet.kube.names.Family;
import facet.kube.names.NamesException;
import facet.kube.names.PodWish;
import facet.kube.names.Reader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes and pods as Kubernetes has them, with devices of 16 GiB. */
public final class Samples {
    public static final long GIB = 1L << 30;
    private static final Reader READER = new Reader(Family.ALL);

    private Samples() {}

    public static Node node(String name, int devices) {
        String annotation =
                IntStream.range(0, devices)
                        .mapToObj(each ->
                                "{\"uuid\":\"%s-%d\",\"index\":%d,\"model\":\"SW\",\"memory\":%d,\"compute\":1000,\"kind\":\"software\",\"healthy\":true}"
                                        .formatted(name, each, each, 16 * GIB))
                        .collect(Collectors.joining(",", "[", "]"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations("facet.dev/devices", annotation)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addToAllocatable("cpu", new Quantity("32"))
                .addToAllocatable("memory", new Quantity("256Gi"))
                .addToAllocatable("pods", new Quantity("110"))
                .endStatus()
                .build();
    }

    public static NodeFacts facts(String name, int devices) {
        return NodeFacts.of(node(name, devices));
    }

    /** One container that wants so much. */
    public static Pod pod(String name, long gibibytes, int percent) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .withUid("uid-" + name)
                .withResourceVersion("1")
                .withCreationTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("facet-scheduler")
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .withLimits(
                        Map.of(
                                "facet.dev/memory",
                                new Quantity(gibibytes + "Gi"),
                                "facet.dev/compute",
                                new Quantity(Integer.toString(percent))))
                .addToRequests("cpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    public static PodWish wish(Pod pod) {
        try {
            return READER.read(pod);
        } catch (NamesException e) {
            throw new AssertionError(e);
        }
    }

    static String await(ClusterState state, Pod pod) {
        return state.await(PodFacts.of(pod), wish(pod), NodeChoice.of(pod.getSpec()));
    }

    /** As it is when it was bound there. */
    static PodFacts bound(Assignment one) {
        PodFacts pod = one.pod();
        return new PodFacts(
                pod.uid(),
                pod.namespace(),
                pod.name(),
                "2",
                one.node(),
                false,
                false,
                false,
                pod.scheduler(),
                pod.priority(),
                pod.stays(),
                pod.cpu(),
                pod.memory(),
                pod.created(),
                pod.grace(),
                one.placed().json());
    }
}
