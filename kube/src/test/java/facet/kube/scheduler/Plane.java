package facet.kube.scheduler;

import facet.kube.cluster.Await;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.KwokNodes;
import facet.kube.install.Manifests;
import facet.kube.ledger.Book;
import facet.kube.ledger.ClusterBooks;
import facet.kube.ledger.Device;
import facet.kube.ledger.Entry;
import facet.kube.ledger.Given;
import facet.kube.ledger.NodeFacts;
import facet.kube.ledger.Placed;
import facet.kube.ledger.PodFacts;
import facet.kube.ledger.Samples;
import facet.kube.ledger.ScheduleSettings;
import facet.kube.names.Family;
import facet.kube.names.Reader;
import facet.log.Log;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A real control plane with Facet's kinds of objects, and what tests do with it. */
public final class Plane {
    public static final Log LOG = new Log(System.out, Log.Level.INFO);

    private Plane() {}

    /** Without what takes a controller manager: service accounts, and nodes that become ready. */
    public static ControlPlane start() throws Exception {
        ControlPlane plane =
                ControlPlane.start(
                        Map.of(),
                        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition");
        define(plane.client());
        return plane;
    }

    public static void define(KubernetesClient client) throws InterruptedException {
        Manifests.definitions().forEach(each -> client.resource(each).create());
        Await.until(
                "kinds of Facet",
                () -> {
                    client.genericKubernetesResources(ClusterBooks.CONTEXT).list();
                    client.genericKubernetesResources(Queues.CONTEXT).list();
                    return true;
                });
    }

    public static Node node(String name, int devices) {
        Node sample = Samples.node(name, devices);
        return KwokNodes.node(name)
                .editMetadata()
                .addToAnnotations(sample.getMetadata().getAnnotations())
                .endMetadata()
                .build();
    }

    public static void nodes(KubernetesClient client, int count, int devices) throws Exception {
        inParallel(count, each -> client.nodes().resource(node("node-" + each, devices)).create());
    }

    public static Pod pod(String name, long gibibytes, int percent) {
        Pod pod = Samples.pod(name, gibibytes, percent);
        pod.getMetadata().setUid(null);
        pod.getMetadata().setResourceVersion(null);
        pod.getMetadata().setCreationTimestamp(null);
        return pod;
    }

    /** Does something so many times, some at a time. */
    public static void inParallel(int count, java.util.function.IntConsumer what) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int each = i;
                all.add(threads.submit(() -> what.accept(each)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    public static SchedulerProcess scheduler(KubernetesClient client, String name) {
        SchedulerProcess process = waitingScheduler(client, name);
        process.leads(true);
        return process;
    }

    /** One that knows all, and decides when it leads. */
    public static SchedulerProcess waitingScheduler(KubernetesClient client, String name) {
        SchedulerProcess process =
                new SchedulerProcess(
                        client, ScheduleSettings.usual().named(name), new Reader(Family.ALL), LOG);
        process.start();
        return process;
    }

    public static long bound(KubernetesClient client) {
        return client.pods().inNamespace("default").list().getItems().stream()
                .filter(each -> each.getSpec().getNodeName() != null)
                .count();
    }

    /**
     * Adds up what pods have, at any time.
     *
     * @return the pods that have something
     * @throws AssertionError where a device has more promised than it has, or is another node's
     */
    public static List<PodFacts> sums(KubernetesClient client) {
        Map<String, Device> devices = new HashMap<>();
        for (Node each : client.nodes().list().getItems()) {
            NodeFacts.of(each).devices().forEach(one -> devices.put(one.uuid(), one));
        }
        List<PodFacts> placed = new ArrayList<>();
        Map<String, Long> thousandths = new HashMap<>();
        Map<String, Long> memory = new HashMap<>();
        for (Pod each : client.pods().inAnyNamespace().list().getItems()) {
            PodFacts pod = PodFacts.of(each);
            Placed what = pod.placed();
            if (!pod.isBound() || pod.over() || what == null) {
                continue;
            }
            placed.add(pod);
            for (Given given : what.containers().values()) {
                for (String uuid : given.devices()) {
                    if (!uuid.startsWith(pod.node() + "-")) {
                        throw new AssertionError(pod.path() + " has a device of another: " + uuid);
                    }
                    thousandths.merge(uuid, (long) given.thousandths(), Long::sum);
                    memory.merge(uuid, given.memory(), Long::sum);
                }
            }
        }
        thousandths.forEach((uuid, sum) -> {
            Device device = devices.get(uuid);
            if (device == null || sum > 1000 || memory.getOrDefault(uuid, 0L) > device.memory()) {
                throw new AssertionError(
                        uuid
                                + ": "
                                + sum
                                + " thousandths, "
                                + memory.get(uuid)
                                + " bytes promised");
            }
        });
        return placed;
    }

    /**
     * The same, and compares with the books, while no pod comes or goes.
     *
     * @throws AssertionError where a pod has what its node's book does not know
     */
    public static void audit(KubernetesClient client) {
        List<PodFacts> placed = sums(client);
        Map<String, Book> books = new HashMap<>();
        client.genericKubernetesResources(ClusterBooks.CONTEXT)
                .list()
                .getItems()
                .forEach(each -> books.put(each.getMetadata().getName(), ClusterBooks.of(each)));
        for (PodFacts pod : placed) {
            Book book = books.get(pod.node());
            Entry entry = book == null ? null : book.entries().get(pod.uid());
            if (entry == null || !entry.placed().equals(pod.placed())) {
                throw new AssertionError(
                        pod.path() + " is on " + pod.node() + " and not in " + book);
            }
        }
    }
}
