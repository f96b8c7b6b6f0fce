package facet.kube.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The control plane of the tests is a real one, and leaves nothing. */
@Timeout(600)
class ControlPlaneTest {
    @BeforeEach
    void programs() {
        Programs.assume();
    }

    @Test
    void podsRunOnNodesOfKwokAndMembersMayDie() throws Exception {
        Path folder;
        List<Long> processes = new ArrayList<>();
        try (ControlPlane plane = ControlPlane.start(Map.of("visitor", "guests"))) {
            folder = plane.folder();
            plane.startControllerManager();
            plane.startScheduler();
            plane.startKwok();
            KubernetesClient client = plane.client();
            assertEquals("1.36", version(client));
            client.nodes().resource(KwokNodes.node("one").build()).create();
            awaitAccount(client);
            client.pods().resource(pod("first")).create();
            awaitRunning(client, "first");
            for (Member each : Member.values()) {
                plane.restart(each);
            }
            client.pods().resource(pod("second")).create();
            awaitRunning(client, "second");
            assertTrue(plane.kubectl("get", "nodes").contains("Ready"), "the node is ready");
            assertFalse(plane.kubectl("version").contains("WARNING"), "kubectl fits the server");
            for (Member each : Member.values()) {
                processes.add(plane.pid(each));
            }
            mayNot(plane, "visitor");
        }
        assertFalse(Files.exists(folder), "the folder is gone");
        for (long each : processes) {
            assertFalse(ProcessHandle.of(each).isPresent(), "process " + each);
        }
    }

    private static void mayNot(ControlPlane plane, String user) throws IOException {
        try (KubernetesClient visitor = plane.newClient(plane.token(user))) {
            var map = new ConfigMapBuilder().withNewMetadata().withName("x").endMetadata().build();
            assertEquals(
                    403,
                    org.junit.jupiter.api.Assertions.assertThrows(
                                    io.fabric8.kubernetes.client.KubernetesClientException.class,
                                    () -> visitor.configMaps().resource(map).create())
                            .getCode());
        }
    }

    private static String version(KubernetesClient client) {
        return client.getKubernetesVersion().getMajor()
                + "."
                + client.getKubernetesVersion().getMinor();
    }

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build();
    }

    private static void awaitAccount(KubernetesClient client) throws InterruptedException {
        Await.until(
                "the service account of the namespace",
                () ->
                        client.serviceAccounts().inNamespace("default").withName("default").get()
                                != null);
    }

    private static void awaitRunning(KubernetesClient client, String name)
            throws InterruptedException {
        Await.until(
                "pod " + name + " runs",
                () ->
                        "Running"
                                .equals(
                                        client.pods()
                                                .inNamespace("default")
                                                .withName(name)
                                                .get()
                                                .getStatus()
                                                .getPhase()));
    }
}
