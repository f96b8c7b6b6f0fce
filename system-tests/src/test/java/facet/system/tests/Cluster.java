package facet.system.tests;

import com.fasterxml.jackson.databind.JsonNode;
import facet.kube.cluster.Await;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.NodeMachine;
import facet.kube.cluster.TestImage;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster of one node: a real control plane, a real kubelet with containerd and runc, a daemon
 * with four devices, and the agent. Pods are bound by tests.
 */
final class Cluster implements AutoCloseable {
    static final String NODE = "node-a";
    static final int DEVICES = 4;
    private static final String RESOURCE = "facet.dev/gpu";

    private final ControlPlane plane;
    private final Daemon daemon;
    private final NodeMachine node;
    private final AgentProcess agent;

    private Cluster(ControlPlane plane, Daemon daemon, NodeMachine node, AgentProcess agent) {
        this.plane = plane;
        this.daemon = daemon;
        this.node = node;
        this.agent = agent;
    }

    static Cluster start(RootFilesystem root) throws IOException, InterruptedException {
        ControlPlane plane =
                ControlPlane.start(
                        Map.of(ControlPlane.nodeUser(NODE), ControlPlane.NODES),
                        "--disable-admission-plugins=ServiceAccount");
        boolean started = false;
        try {
            NodeMachine node =
                    NodeMachine.start(plane, NODE, TestImage.make(root.path(), plane.folder()));
            Daemon daemon = Daemon.start("8G,8G,8G,8G", "--isolation", "shared", "--http", "off");
            AgentProcess agent = AgentProcess.start(plane, daemon, node);
            Cluster cluster = new Cluster(plane, daemon, node, agent);
            cluster.awaitAnnounced();
            started = true;
            return cluster;
        } finally {
            if (!started) {
                plane.close();
            }
        }
    }

    ControlPlane plane() {
        return plane;
    }

    KubernetesClient client() {
        return plane.client();
    }

    Daemon daemon() {
        return daemon;
    }

    NodeMachine node() {
        return node;
    }

    AgentProcess agent() {
        return agent;
    }

    /** The node has the devices' resource, as kubelet and agent agree. */
    void awaitAnnounced() throws InterruptedException {
        String all = Integer.toString(DEVICES * 100);
        Await.until(
                "the node announces its devices",
                () -> {
                    Quantity there =
                            client().nodes()
                                    .withName(NODE)
                                    .get()
                                    .getStatus()
                                    .getAllocatable()
                                    .get(RESOURCE);
                    return there != null && there.getAmount().equals(all);
                },
                () -> agent.lastOfLog() + node.log());
    }

    // ---- pods

    /** Prints what it sees of its slice until that works, and stays. */
    static PodBuilder pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withHostNetwork(true)
                .withAutomountServiceAccountToken(false)
                .withTerminationGracePeriodSeconds(0L)
                .withSchedulerName("the-test")
                .addNewToleration()
                .withOperator("Exists")
                .endToleration()
                .withContainers(
                        new ContainerBuilder()
                                .withName("main")
                                .withImage(NodeMachine.image())
                                .withImagePullPolicy("Never")
                                .withCommand(
                                        "/bin/sh",
                                        "-c",
                                        "until /bin/see_device; do sleep 1; done;"
                                                + " sleep 1000000")
                                .build())
                .endSpec();
    }

    /** One that asks for a slice. */
    static PodBuilder asking(String name) {
        return pod(name)
                .editSpec()
                .editFirstContainer()
                .withNewResources()
                .addToLimits(RESOURCE, new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec();
    }

    /** As a scheduler does: what is placed travels with the binding. */
    void bind(Pod pod, Map<String, String> annotations) {
        String name = pod.getMetadata().getName();
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        metadata.put("annotations", annotations);
        client().raw(
                        "/api/v1/namespaces/default/pods/" + name + "/binding",
                        "POST",
                        Map.of(
                                "apiVersion",
                                "v1",
                                "kind",
                                "Binding",
                                "metadata",
                                metadata,
                                "target",
                                Map.of("apiVersion", "v1", "kind", "Node", "name", NODE)));
    }

    /** The lines of figures that a pod has printed: total memory twice, two errors. */
    List<String> figures(Pod pod) throws IOException {
        return node.output(pod, "main").lines().filter(line -> line.matches("[0-9 ]+")).toList();
    }

    // ---- the daemon

    List<JsonNode> slices() throws IOException {
        List<JsonNode> all = new ArrayList<>();
        try (Control control = daemon.control()) {
            for (JsonNode each : control.ask("slices").path("slices")) {
                if (!each.path("name").asText().equals("default")) {
                    all.add(each);
                }
            }
        }
        return all;
    }

    JsonNode placed() throws IOException {
        try (Control control = daemon.control()) {
            return control.ask("pods").path("pods");
        }
    }

    @Override
    public void close() throws IOException {
        agent.close();
        plane.close();
        daemon.close();
    }
}
