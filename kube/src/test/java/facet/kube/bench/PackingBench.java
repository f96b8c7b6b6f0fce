package facet.kube.bench;

import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.KwokNodes;
import facet.kube.scheduler.Plane;
import facet.kube.scheduler.SchedulerProcess;
import facet.place.Cluster;
import facet.place.Node;
import facet.place.Policies;
import facet.place.Request;
import facet.sim.Arrivals;
import facet.sim.Filling;
import facet.sim.Task;
import facet.sim.Trace;
import facet.sim.TraceException;
import facet.sim.TraceFiles;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How full a cluster becomes through the real control plane, beside what the simulator says of the
 * same requests in the same order: the openb default trace on 200 of its nodes, until 130 % of all
 * devices were asked for. Who finds no place goes away, as in the simulator. Tasks without a device
 * are left out: they are not facet-scheduler's.
 */
final class PackingBench {
    private static final int NODES = 200;
    private static final double UNTIL = 1.3;
    private static final long DEVICE = 16L << 30;

    private final Trace trace;

    private PackingBench(Trace trace) {
        this.trace = trace;
    }

    static PackingBench of(Path place) throws TraceException {
        Trace whole = TraceFiles.read(place);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(whole.nodes().get(i * whole.nodes().size() / NODES));
        }
        List<Task> tasks = new ArrayList<>();
        for (Task each : whole.tasks()) {
            if (each.request().devices() > 0) {
                tasks.add(
                        new Task(
                                each.name(),
                                inPercent(each.request()),
                                each.arrives(),
                                each.leaves()));
            }
        }
        return new PackingBench(new Trace(whole.name(), whole.models(), nodes, tasks));
    }

    /** Pods ask for whole percents. */
    private static Request inPercent(Request request) {
        return new Request(
                request.devices(),
                Math.ceilDiv(request.thousandths(), 10) * 10,
                request.models(),
                request.cpu(),
                request.memory());
    }

    void run(long seed) throws Exception {
        Filling simulated = Filling.run(trace, Policies.named(Policies.OURS), UNTIL, seed);
        double there;
        int bound;
        try (ControlPlane plane = Plane.start()) {
            KubernetesClient client = plane.client();
            Plane.inParallel(
                    trace.nodes().size(),
                    each -> client.nodes().resource(node(trace.nodes().get(each))).create());
            try (SchedulerProcess process = Plane.scheduler(client, "facet-scheduler")) {
                List<Request> arrivals = Arrivals.draw(trace, UNTIL, seed);
                for (int i = 0; i < arrivals.size(); i++) {
                    offer(client, process, pod("pod-" + i, arrivals.get(i)));
                }
                Plane.audit(client);
                there =
                        100.0
                                * process.state().ask(each -> each.used())
                                / process.state().ask(each -> each.capacity());
                bound = (int) process.scheduler().bound();
            }
        }
        System.out.printf(
                Locale.ROOT,
                "packing, seed %d: %d of %d pods placed, %.2f %% of all devices; simulator %d,"
                        + " %.2f %%; %.2f points apart%n",
                seed,
                bound,
                simulated.arrived(),
                there,
                simulated.placed(),
                simulated.allocation(),
                Math.abs(there - simulated.allocation()));
    }

    /** Until it is bound, or fits nowhere and is gone. */
    private static void offer(KubernetesClient client, SchedulerProcess process, Pod wanted)
            throws InterruptedException {
        long before = process.scheduler().bound();
        Pod pod = client.pods().resource(wanted).create();
        String uid = pod.getMetadata().getUid();
        boolean nowhere = false;
        // Thousands of pods, one by one: a look costs less than the pause between two.
        while (!nowhere && process.scheduler().bound() == before) {
            TimeUnit.MILLISECONDS.sleep(1);
            nowhere =
                    process.state()
                            .ask(each ->
                                    each.awaitsPlace(uid)
                                            && each.explain(uid).startsWith("fits nowhere"));
        }
        if (nowhere) {
            client.resource(pod).withGracePeriod(0).delete();
            while (process.state().ask(each -> each.awaits(uid))) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
    }

    private static io.fabric8.kubernetes.api.model.Node node(Node one) {
        String name = one.name();
        String devices =
                IntStream.range(0, one.devices())
                        .mapToObj(each ->
                                "{\"uuid\":\"%s-%d\",\"index\":%d,\"model\":\"%s\",\"memory\":%d,\"compute\":1000,\"kind\":\"software\",\"healthy\":true}"
                                        .formatted(name, each, each, one.model(), DEVICE))
                        .collect(Collectors.joining(",", "[", "]"));
        Map<String, Quantity> room =
                Map.of(
                        "cpu", new Quantity(one.cpu() + "m"),
                        "memory", new Quantity(one.memory() + "Mi"),
                        "pods", new Quantity("250"));
        return KwokNodes.node(name)
                .editMetadata()
                .addToAnnotations("facet.dev/devices", devices)
                .endMetadata()
                .editStatus()
                .withCapacity(room)
                .withAllocatable(room)
                .endStatus()
                .build();
    }

    private Pod pod(String name, Request request) {
        Map<String, String> annotations = new HashMap<>();
        List<String> models =
                IntStream.range(0, trace.models().count())
                        .filter(request::accepts)
                        .mapToObj(trace.models()::name)
                        .toList();
        if (models.size() < trace.models().count()) {
            annotations.put("facet.dev/model", String.join(",", models));
        }
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("facet-scheduler")
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .addToLimits("facet.dev/gpu", new Quantity(Integer.toString(request.devices())))
                .addToLimits(
                        "facet.dev/compute",
                        new Quantity(Integer.toString(request.thousandths() / 10)))
                .addToLimits(
                        "facet.dev/memory",
                        new Quantity(Long.toString(DEVICE / Cluster.WHOLE * request.thousandths())))
                .addToRequests("cpu", new Quantity(request.cpu() + "m"))
                .addToRequests("memory", new Quantity(request.memory() + "Mi"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }
}
