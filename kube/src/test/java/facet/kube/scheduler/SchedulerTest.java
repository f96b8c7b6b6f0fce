package facet.kube.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.kube.cluster.Await;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.Programs;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** On a real control plane; each test leaves the cluster without pods. */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SchedulerTest {
    private static ControlPlane plane;
    private static KubernetesClient client;

    @BeforeAll
    static void start() throws Exception {
        Programs.assume();
        plane = Plane.start();
        client = plane.client();
        Plane.nodes(client, 10, 4);
    }

    @AfterAll
    static void stop() throws Exception {
        if (plane != null) {
            plane.close();
        }
    }

    @BeforeEach
    void clearBefore() throws Exception {
        clear();
    }

    private static void clear() throws Exception {
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        Await.until(
                "no pods", () -> client.pods().inNamespace("default").list().getItems().isEmpty());
    }

    private static List<Event> events(String pod) {
        return client.v1().events().inNamespace("default").list().getItems().stream()
                .filter(each -> each.getInvolvedObject().getName().equals(pod))
                .toList();
    }

    @Test
    @Order(1)
    void podsArePlacedAndThoseThatFitNowhereAreTold() throws Exception {
        try (SchedulerProcess process = Plane.scheduler(client, "facet-scheduler")) {
            Plane.inParallel(
                    80, each -> client.pods().resource(Plane.pod("pod-" + each, 2, 50)).create());
            Await.until("80 pods are bound", () -> Plane.bound(client) == 80);
            Plane.audit(client);
            client.pods().resource(Plane.pod("late", 2, 50)).create();
            Await.until("an event", () -> !events("late").isEmpty());
            Event event = events("late").getFirst();
            assertEquals("FailedScheduling", event.getReason());
            assertTrue(
                    event.getMessage().startsWith("fits nowhere: 40 devices"), event.getMessage());
            client.pods().inNamespace("default").withName("pod-7").withGracePeriod(0).delete();
            Await.until(
                    "the place of the other",
                    () ->
                            client.pods()
                                            .inNamespace("default")
                                            .withName("late")
                                            .get()
                                            .getSpec()
                                            .getNodeName()
                                    != null);
            Plane.audit(client);
            assertEquals(81, process.scheduler().bound());
        }
    }

    @Test
    @Order(2)
    void severalSchedulersNeverGiveAThousandthTwice() throws Exception {
        // All of the room is asked for by each of three: what one has the others cannot have.
        try (SchedulerProcess a = Plane.scheduler(client, "a");
                SchedulerProcess b = Plane.scheduler(client, "b");
                SchedulerProcess c = Plane.scheduler(client, "c")) {
            Plane.inParallel(
                    300,
                    each -> {
                        Pod pod = Plane.pod("pod-" + each, 1, 30);
                        pod.getSpec().setSchedulerName(List.of("a", "b", "c").get(each % 3));
                        client.pods().resource(pod).create();
                    });
            // Three fit on each of 40 devices.
            Await.until("120 are bound", () -> Plane.bound(client) == 120);
            Plane.audit(client);
            assertEquals(
                    120, a.scheduler().bound() + b.scheduler().bound() + c.scheduler().bound());
            client.pods().inNamespace("default").withGracePeriod(0).delete();
            Await.until(
                    "all is free",
                    () -> client.pods().inNamespace("default").list().getItems().isEmpty());
            Await.until("nothing is used", () -> a.state().ask(each -> each.used()) == 0);
        }
    }

    @Test
    @Order(3)
    void whatADeadSchedulerLeftInABookIsFreed() throws Exception {
        try (SchedulerProcess _ = Plane.scheduler(client, "facet-scheduler")) {
            client.pods().resource(Plane.pod("one", 2, 50)).create();
            Await.until("it is bound", () -> Plane.bound(client) == 1);
        }
        clear();
        try (SchedulerProcess _ = Plane.scheduler(client, "facet-scheduler")) {
            Plane.inParallel(
                    40, each -> client.pods().resource(Plane.pod("pod-" + each, 2, 100)).create());
            Await.until("40 pods are bound", () -> Plane.bound(client) == 40);
            Plane.audit(client);
        }
    }

    @Test
    @Order(4)
    void aSliceIsShownAndChangedWhileItsPodRuns() throws Exception {
        try (SchedulerProcess process = Plane.scheduler(client, "facet-scheduler")) {
            client.pods().resource(Plane.pod("one", 2, 50)).create();
            client.pods().resource(Plane.pod("two", 2, 50)).create();
            var slices =
                    client.genericKubernetesResources(SliceObjects.CONTEXT).inNamespace("default");
            Await.until("two slices", () -> slices.list().getItems().size() == 2);
            String shown = plane.kubectl("get", "gpuslices", "-n", "default");
            assertTrue(shown.contains("2 GiB") && shown.contains("fixed"), shown);
            change(slices, "{\"spec\":{\"memory\":\"6GiB\",\"compute\":20}}");
            Await.until(
                    "the pod has another part",
                    () -> placement("one").contains("\"thousandths\":200"));
            assertTrue(placement("one").contains("\"memory\":" + (6L << 30)), placement("one"));
            Plane.audit(client);
            change(slices, "{\"spec\":{\"memory\":\"17GiB\"}}");
            Await.until(
                    "it is refused in words",
                    () ->
                            String.valueOf(
                                            slices.withName("one-main")
                                                    .get()
                                                    .getAdditionalProperties()
                                                    .get("status"))
                                    .contains("no room for 17 GiB"));
            assertTrue(placement("one").contains("\"memory\":" + (6L << 30)), placement("one"));
            client.pods().inNamespace("default").withName("one").withGracePeriod(0).delete();
            Await.until("its slice is gone", () -> slices.list().getItems().size() == 1);
            Await.until("its part is free", () -> process.state().ask(each -> each.used()) == 500);
        }
    }

    private static void change(
            io.fabric8.kubernetes.client.dsl.NonNamespaceOperation<
                            io.fabric8.kubernetes.api.model.GenericKubernetesResource,
                            io.fabric8.kubernetes.api.model.GenericKubernetesResourceList,
                            io.fabric8.kubernetes.client.dsl.Resource<
                                    io.fabric8.kubernetes.api.model.GenericKubernetesResource>>
                    slices,
            String patch) {
        slices.withName("one-main")
                .patch(
                        io.fabric8.kubernetes.client.dsl.base.PatchContext.of(
                                io.fabric8.kubernetes.client.dsl.base.PatchType.JSON_MERGE),
                        patch);
    }

    private static String placement(String pod) {
        return client.pods()
                .inNamespace("default")
                .withName(pod)
                .get()
                .getMetadata()
                .getAnnotations()
                .getOrDefault("facet.dev/placement", "");
    }
}
