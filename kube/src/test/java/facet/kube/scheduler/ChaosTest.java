package facet.kube.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.kube.cluster.Await;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.Member;
import facet.kube.cluster.Programs;
import facet.kube.extender.Extender;
import facet.kube.extender.SchedulerPolicy;
import facet.kube.names.Family;
import facet.kube.names.Reader;
import facet.kube.serve.TestDoor;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two schedulers in processes of their own and the stock one with the extender, all of which want
 * the same devices; they, the apiserver and etcd are killed while pods come and go. {@code
 * -Dfacet.chaos.seconds=600} for longer, {@code -Dfacet.seed=} for the same again.
 */
@Timeout(1500)
final class ChaosTest {
    private static final int SECONDS = Integer.getInteger("facet.chaos.seconds", 30);
    private static final List<String> SCHEDULERS = List.of("a", "b", "default-scheduler");

    private final Map<String, Process> children = new HashMap<>();

    @Test
    void nothingIsPromisedTwiceAndEveryPodRunsOrSaysWhyNot(@TempDir Path folder) throws Exception {
        Programs.assume();
        long seed = Long.getLong("facet.seed", System.nanoTime());
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        try (ControlPlane plane = Plane.start()) {
            KubernetesClient client = plane.client();
            client.resource(
                            new NamespaceBuilder()
                                    .withNewMetadata()
                                    .withName("facet-system")
                                    .endMetadata()
                                    .build())
                    .create();
            Plane.nodes(client, 6, 4);
            try (SchedulerProcess books = Plane.waitingScheduler(client, "facet-extender");
                    TestDoor door =
                            TestDoor.open(
                                    new Extender(
                                                    client,
                                                    books.state(),
                                                    books.binder(),
                                                    new Reader(Family.ALL))
                                            .places())) {
                door.writeClient(folder);
                Path config = folder.resolve("scheduler.yaml");
                Files.writeString(
                        config,
                        SchedulerPolicy.text(
                                plane.kubeconfig().toString(),
                                door.url(),
                                folder.toString(),
                                Family.ALL));
                plane.startScheduler("--config=" + config);
                start(plane, "a", folder);
                start(plane, "b", folder);
                storm(plane, client, random, folder);
                settle(client);
                Plane.audit(client);
            }
        } finally {
            children.values().forEach(Process::destroyForcibly);
        }
    }

    private void start(ControlPlane plane, String name, Path folder) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "facet.kube.cli.FacetKube",
                        "scheduler",
                        "--name",
                        name,
                        "--metrics",
                        "0");
        builder.environment().put("KUBECONFIG", plane.kubeconfig().toString());
        builder.redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile()));
        children.put(name, builder.start());
    }

    private void storm(ControlPlane plane, KubernetesClient client, Random random, Path folder)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        int number = 0;
        int next = 0;
        while (System.nanoTime() < end) {
            try {
                for (int i = 0; i < 8; i++) {
                    Pod pod =
                            Plane.pod(
                                    "pod-" + number++,
                                    1 + random.nextInt(4),
                                    10 * (1 + random.nextInt(6)));
                    pod.getSpec()
                            .setSchedulerName(SCHEDULERS.get(random.nextInt(SCHEDULERS.size())));
                    client.pods().resource(pod).create();
                }
                List<Pod> all = client.pods().inNamespace("default").list().getItems();
                for (Pod each : all) {
                    if (random.nextInt(10) == 0 || all.size() > 120) {
                        client.resource(each).withGracePeriod(0).delete();
                    }
                }
                Plane.sums(client);
            } catch (KubernetesClientException e) {
                // The apiserver was killed; the next ones come when it is there again.
                TimeUnit.MILLISECONDS.sleep(100);
            }
            if (random.nextInt(4) == 0) {
                strike(plane, next++, folder);
            }
        }
    }

    /** Each of them in turn. */
    private void strike(ControlPlane plane, int which, Path folder) throws Exception {
        switch (which % 4) {
            case 0, 2 -> {
                String name = which % 4 == 0 ? "a" : "b";
                Objects.requireNonNull(children.get(name)).destroyForcibly().waitFor();
                start(plane, name, folder);
            }
            case 1 -> plane.restart(Member.API_SERVER);
            default -> plane.restart(Member.ETCD);
        }
    }

    /** Every pod is bound, or has an event that says why not; none is bound without a placement. */
    private static void settle(KubernetesClient client) throws InterruptedException {
        Await.until(
                "every pod is bound or told",
                () -> {
                    Set<String> told =
                            client.v1().events().inNamespace("default").list().getItems().stream()
                                    .map(each -> each.getInvolvedObject().getUid())
                                    .collect(Collectors.toSet());
                    return client.pods().inNamespace("default").list().getItems().stream()
                            .allMatch(each ->
                                    each.getSpec().getNodeName() != null
                                            || told.contains(each.getMetadata().getUid()));
                });
        assertEquals(
                0,
                client.pods().inNamespace("default").list().getItems().stream()
                        .filter(each -> each.getSpec().getNodeName() != null)
                        .filter(each ->
                                each.getMetadata().getAnnotations() == null
                                        || !each.getMetadata()
                                                .getAnnotations()
                                                .containsKey("facet.dev/placement"))
                        .count());
    }
}
