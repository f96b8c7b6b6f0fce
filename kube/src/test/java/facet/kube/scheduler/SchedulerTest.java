package facet.kube.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.kube.cluster.Await;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.Programs;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
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
    @Order(1)
    void whatTheSchedulerDoesNotLookAtIsNotPlaced() throws Exception {
        try (SchedulerProcess _ = Plane.scheduler(client, "facet-scheduler")) {
            Pod apart =
                    Plane.pod("apart", 1, 10)
                            .edit()
                            .editSpec()
                            .withNewAffinity()
                            .withNewPodAntiAffinity()
                            .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                            .withTopologyKey("kubernetes.io/hostname")
                            .endRequiredDuringSchedulingIgnoredDuringExecution()
                            .endPodAntiAffinity()
                            .endAffinity()
                            .addNewVolume()
                            .withName("data")
                            .withNewPersistentVolumeClaim("data", false)
                            .endVolume()
                            .endSpec()
                            .build();
            client.pods().resource(apart).create();
            Await.until("an event", () -> !events("apart").isEmpty());
            String message = events("apart").getFirst().getMessage();
            assertTrue(
                    message.contains("required podAntiAffinity, volumes by claims")
                            && message.contains("default-scheduler"),
                    message);
            assertEquals(0, Plane.bound(client));
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
            // The last answers may be on their way.
            Await.until(
                    "each is counted once",
                    () ->
                            a.scheduler().bound() + b.scheduler().bound() + c.scheduler().bound()
                                    == 120);
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

    @Test
    @Order(5)
    void aPodGrowsByItsAnnotationsAsFarAsItsQueueAllows() throws Exception {
        try (SchedulerProcess _ = Plane.scheduler(client, "facet-scheduler")) {
            client.pods().resource(Plane.pod("one", 2, 50)).create();
            // One that waits for ever does not keep others from being changed.
            client.pods().resource(Plane.pod("large", 17, 50)).create();
            var slices =
                    client.genericKubernetesResources(SliceObjects.CONTEXT).inNamespace("default");
            Await.until("its slice", () -> slices.withName("one-main").get() != null);

            // Less is always possible; more is not, while nobody has said what they may have.
            plane.kubectl("annotate", "pod", "one", "facet.dev/change-compute=40");
            Await.until("it shrinks", () -> placement("one").contains("\"thousandths\":400"));
            plane.kubectl("annotate", "--overwrite", "pod", "one", "facet.dev/change-compute=60");
            Await.until(
                    "no queue", () -> message(slices.withName("one-main")).contains("no GpuQueue"));

            GenericKubernetesResource queue = new GenericKubernetesResource();
            queue.setApiVersion("facet.dev/v1");
            queue.setKind("GpuQueue");
            queue.setMetadata(new ObjectMetaBuilder().withName("default").build());
            queue.setAdditionalProperty(
                    "spec",
                    Map.of("quota", "0.5", "limit", "0.7", "namespaces", List.of("default")));
            client.genericKubernetesResources(Queues.CONTEXT).resource(queue).create();
            Await.until("it grows", () -> placement("one").contains("\"thousandths\":600"));
            for (String more :
                    List.of("facet.dev/change-compute=80", "facet.dev/change-memory=12GiB")) {
                plane.kubectl("annotate", "--overwrite", "pod", "one", more);
                Await.until(
                        "its queue has no more for " + more,
                        () -> message(slices.withName("one-main")).contains("its queue has all"));
                plane.kubectl(
                        "annotate", "--overwrite", "pod", "one", "facet.dev/change-compute=60");
            }
            plane.kubectl("annotate", "--overwrite", "pod", "one", "facet.dev/change-memory=-1x");
            Await.until(
                    "nonsense is refused",
                    () -> message(slices.withName("one-main")).contains("-1x"));
            assertTrue(placement("one").contains("\"memory\":" + (2L << 30)), placement("one"));
            assertTrue(placement("one").contains("\"thousandths\":600"), placement("one"));
            Plane.audit(client);
            Await.until(
                    "the queue says what it has",
                    () ->
                            String.valueOf(
                                            client.genericKubernetesResources(Queues.CONTEXT)
                                                    .withName("default")
                                                    .get()
                                                    .getAdditionalProperties()
                                                    .get("status"))
                                    .equals("{used=0.6, waiting=1}"));
        } finally {
            client.genericKubernetesResources(Queues.CONTEXT).delete();
        }
    }

    private static String message(Resource<GenericKubernetesResource> slice) {
        return String.valueOf(slice.get().getAdditionalProperties().get("status"));
    }

    private static void change(
            NonNamespaceOperation<
                            GenericKubernetesResource,
                            GenericKubernetesResourceList,
                            Resource<GenericKubernetesResource>>
                    slices,
            String patch) {
        slices.withName("one-main").patch(PatchContext.of(PatchType.JSON_MERGE), patch);
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
