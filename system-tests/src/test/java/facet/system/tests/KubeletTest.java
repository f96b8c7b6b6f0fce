package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import facet.kube.cluster.Await;
import facet.kube.cluster.NodeMachine;
import facet.kube.cluster.Programs;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pods of a real kubelet: each has what was placed for it, whoever is started anew meanwhile. */
@Timeout(1200)
class KubeletTest {
    private static final long MIB = 1L << 20;

    /** -Dfacet.pods=200 for more; a kubelet begins some of them a second. */
    private static final int PODS = Integer.getInteger("facet.pods", 60);

    /**
     * Of the first pod; each has a mebibyte more than the one before, so that they can be told
     * apart.
     */
    private static final long LEAST = 16;

    @TempDir private static Path folder = Path.of("/nowhere");

    private static Optional<Cluster> shared = Optional.empty();
    private Cluster cluster;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeTrue(
                Boolean.getBoolean("facet.kubelet"),
                "a kubelet with its pods runs when -Dfacet.kubelet=true is set");
        Programs.assume();
        assumeTrue(NodeMachine.isPossible(), "a kubelet needs root and runc");
        if (shared.isEmpty()) {
            RootFilesystem root = RootFilesystem.create(folder.resolve("root"));
            root.add(
                    new Builder().driver(Program.of(Places.DRIVER.resolve("see_device.c"))),
                    "/bin/see_device");
            shared = Optional.of(Cluster.start(root));
        }
        cluster = shared.get();
    }

    @AfterAll
    static void end() throws Exception {
        if (shared.isPresent()) {
            shared.get().close();
        }
    }

    private static long memory(int pod) {
        return (LEAST + pod) * MIB;
    }

    /** As the one who binds writes it. */
    private String placement(long memory, int device, int thousandths) throws IOException {
        String uuid;
        try (Control control = cluster.daemon().control()) {
            uuid = control.ask("devices").path("devices").path(device).path("uuid").asText();
        }
        return """
        {"by":"the-test","containers":{"main":{"devices":["%s"],"memory":%d,"thousandths":%d,\
        "policy":"fixed","priority":0}}}\
        """
                .formatted(uuid, memory, thousandths);
    }

    private void awaitNothingLeft() throws InterruptedException {
        Await.until(
                "no slice and no placement is left",
                () -> cluster.slices().isEmpty() && cluster.placed().isEmpty(),
                cluster.agent()::lastOfLog);
    }

    private String why(Pod pod) {
        try {
            return cluster.plane().kubectl("describe", "pod", pod.getMetadata().getName())
                    + cluster.agent().lastOfLog();
        } catch (IOException | InterruptedException e) {
            return e.toString();
        }
    }

    @Test
    void eachOfManyPodsHasItsOwnSliceWhateverIsRestarted() throws Exception {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < PODS; i++) {
            pods.add(create(i));
        }
        awaitFigures(pods, PODS / 5);
        cluster.agent().killAndStart();
        awaitFigures(pods, 2 * PODS / 5);
        cluster.node().killKubelet();
        cluster.node().startKubelet();
        awaitFigures(pods, 3 * PODS / 5);
        cluster.daemon().kill();
        cluster.daemon().restart();
        awaitFigures(pods, PODS);
        for (int i = 0; i < PODS; i++) {
            String expected = memory(i) + " " + memory(i) + " 2 0";
            for (String each : cluster.figures(pods.get(i))) {
                assertEquals(expected, each, "pod " + i);
            }
        }
        checkSlices(pods);
        cluster.awaitAnnounced();
        changeOne(pods.getFirst());
        List<String> names = names(pods);
        pods.forEach(each -> cluster.client().resource(each).delete());
        // Not all slices: of a container that was being created when the kubelet was killed
        // containerd can leave a 'runc init' behind, and its slice lives as long as it does.
        Await.until(
                "no placement and no pod's slice is left",
                () ->
                        cluster.placed().isEmpty()
                                && cluster.slices().stream()
                                        .noneMatch(each ->
                                                names.contains(each.path("name").asText())));
    }

    /** The slices of pods, as the daemon calls them. */
    private List<String> names(List<Pod> pods) throws IOException {
        List<String> names = new ArrayList<>();
        cluster.placed().forEach(each -> names.add(each.path("slice").asText()));
        assertEquals(pods.size(), names.size());
        return names;
    }

    private Pod create(int number) throws IOException {
        Pod pod = cluster.client().resource(Cluster.asking("pod-" + number).build()).create();
        cluster.bind(
                pod,
                Map.of(
                        "facet.dev/placement",
                        placement(memory(number), number % Cluster.DEVICES, 10)));
        return pod;
    }

    /**
     * A kubelet that starts rejects pods whose devices no plugin has announced to it yet, for good;
     * so does one whose plugin is away. As a Deployment does, others take their place.
     */
    private void replaceRejected(List<Pod> pods) throws IOException, InterruptedException {
        Map<String, Pod> there = new HashMap<>();
        cluster.client()
                .pods()
                .inNamespace("default")
                .list()
                .getItems()
                .forEach(each -> there.put(each.getMetadata().getName(), each));
        for (int i = 0; i < pods.size(); i++) {
            Pod pod = there.get(pods.get(i).getMetadata().getName());
            if (pod != null && "UnexpectedAdmissionError".equals(pod.getStatus().getReason())) {
                cluster.client().resource(pod).withGracePeriod(0).delete();
                Await.until(
                        "the rejected pod is gone",
                        () -> cluster.client().resource(pod).get() == null);
                pods.set(i, create(i));
            }
        }
    }

    /** Those that have seen their slice. */
    private void awaitFigures(List<Pod> pods, int count) throws InterruptedException {
        Await.until(
                count + " of " + pods.size() + " pods have their slices",
                () -> {
                    if (with(pods).size() >= count) {
                        return true;
                    }
                    TimeUnit.SECONDS.sleep(1);
                    if (pods.size() == PODS) {
                        replaceRejected(pods);
                    }
                    return false;
                },
                () -> {
                    List<Pod> without = new ArrayList<>(pods);
                    try {
                        without.removeAll(with(pods));
                    } catch (IOException e) {
                        return e.toString();
                    }
                    return without.size() + " do not\n" + why(without.getFirst());
                });
    }

    private List<Pod> with(List<Pod> pods) throws IOException {
        List<Pod> some = new ArrayList<>();
        for (Pod each : pods) {
            if (!cluster.figures(each).isEmpty()) {
                some.add(each);
            }
        }
        return some;
    }

    /** As the daemon knows them: one for each pod, of its size, on its device. */
    private void checkSlices(List<Pod> pods) throws IOException, InterruptedException {
        Await.until(
                "something is placed for each pod, and for no other",
                () -> cluster.placed().size() == PODS);
        Map<String, JsonNode> slices = new HashMap<>();
        cluster.slices().forEach(each -> slices.put(each.path("name").asText(), each));
        Map<String, String> names = new HashMap<>();
        cluster.placed()
                .forEach(each -> names.put(each.path("pod").asText(), each.path("slice").asText()));
        for (int i = 0; i < PODS; i++) {
            JsonNode slice =
                    Objects.requireNonNull(
                            slices.get(names.get(pods.get(i).getMetadata().getUid())));
            assertEquals(memory(i), slice.path("memory").asLong());
            assertEquals(i % Cluster.DEVICES, slice.path("onDevices").path(0).asInt());
            assertEquals(1, slice.path("compute").asInt());
        }
    }

    /** A placement that is changed changes the slice, while the pod runs. */
    private void changeOne(Pod pod) throws Exception {
        String other = placement(1024 * MIB, 0, 50);
        // A patch, whatever version it has: the kubelet writes its status meanwhile.
        Pod change =
                new PodBuilder()
                        .withNewMetadata()
                        .addToAnnotations("facet.dev/placement", other)
                        .endMetadata()
                        .build();
        cluster.client()
                .pods()
                .inNamespace("default")
                .withName(pod.getMetadata().getName())
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), change);
        Await.until(
                "the slice has changed",
                () ->
                        cluster.slices().stream()
                                .anyMatch(each ->
                                        each.path("name").asText().startsWith("pod-0.main")
                                                && each.path("memory").asLong() == 1024 * MIB
                                                && each.path("compute").asInt() == 5));
    }

    /** A pod that somebody bound who knows of no slices, and that asks for much by itself. */
    @Test
    void aPodWithoutPlacementDoesNotRunAndIsToldWhy() throws Exception {
        Pod pod =
                cluster.client()
                        .resource(
                                Cluster.asking("stranger")
                                        .editSpec()
                                        .editFirstContainer()
                                        .addNewEnv()
                                        .withName("FACET_MEMORY")
                                        .withValue("4GiB")
                                        .endEnv()
                                        .endContainer()
                                        .endSpec()
                                        .build())
                        .create();
        cluster.bind(pod, Map.of());
        Await.until(
                "an event of the pod that says why",
                () ->
                        cluster
                                .client()
                                .v1()
                                .events()
                                .inNamespace("default")
                                .list()
                                .getItems()
                                .stream()
                                .anyMatch(each ->
                                        "NoSlice".equals(each.getReason())
                                                && "stranger"
                                                        .equals(
                                                                each.getInvolvedObject()
                                                                        .getName())),
                () -> why(pod));
        assertTrue(
                cluster.slices().stream()
                        .noneMatch(each -> each.path("name").asText().startsWith("stranger")),
                "it has no slice");
        assertTrue(cluster.figures(pod).isEmpty(), "it does not run");
        cluster.client().resource(pod).delete();
    }

    /** Parts of devices that the scheduler of Kubernetes itself has given to claims. */
    @Test
    void claimsHaveTheirPartsOfDevices() throws Exception {
        cluster.plane().startScheduler();
        cluster.client()
                .load(KubeletTest.class.getResourceAsStream("claims.yaml"))
                .inNamespace("default")
                .create();
        List<Pod> pods = new ArrayList<>();
        for (String each : List.of("small", "large", "beside-large")) {
            pods.add(
                    cluster.client()
                            .resource(claiming(each, each.replace("beside-", "")))
                            .create());
        }
        awaitFigures(pods, pods.size());
        for (Pod each : pods) {
            long expected = (each.getMetadata().getName().equals("small") ? 512 : 3072) * MIB;
            assertEquals(
                    List.of(expected + " " + expected + " 2 0"),
                    cluster.figures(each),
                    each.getMetadata().getName());
        }
        assertEquals(2, cluster.slices().size(), "those who share a claim share its slice");
        cluster.agent().killAndStart();
        pods.forEach(each -> cluster.client().resource(each).delete());
        awaitNothingLeft();
    }

    private static Pod claiming(String name, String claim) {
        return Cluster.pod(name)
                .editSpec()
                .withSchedulerName("default-scheduler")
                .addNewResourceClaim()
                .withName("gpu")
                .withResourceClaimName(claim)
                .endResourceClaim()
                .editFirstContainer()
                .withNewResources()
                .addNewClaim()
                .withName("gpu")
                .endClaim()
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }
}
