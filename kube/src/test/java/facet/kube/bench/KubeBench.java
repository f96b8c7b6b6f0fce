package facet.kube.bench;

import facet.kube.cluster.Await;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.Member;
import facet.kube.cluster.Programs;
import facet.kube.scheduler.Plane;
import facet.kube.scheduler.SchedulerProcess;
import facet.kube.scheduler.StockScheduler;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How many pods a second are bound: by facet-scheduler, by the stock scheduler, and by the stock
 * scheduler with our extender. All pods are there before the scheduler begins; a pod counts when
 * the apiserver lists it with its node.
 */
public final class KubeBench {
    private static final int DEVICES = 4;

    private final int nodes;
    private final int pods;

    private KubeBench(int nodes, int pods) {
        this.nodes = nodes;
        this.pods = pods;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> words = List.of(arguments);
        if (words.contains("--help")) {
            System.out.println(
                    """
                    Usage: facet bench kube [--quick] [--only facet|stock|extender]
                           facet bench kube --only packing --traces DIR [--seed N]

                    Pods bound a second, 5,000 on 1,213 nodes; --quick: 500 on 100.
                    packing: how full 200 nodes of the openb trace in DIR become, beside the simulator.\
                    """);
            return;
        }
        if (!Programs.areThere()) {
            System.err.println("facet: there is no Kubernetes 1.36; testkit/kubernetes --install");
            System.exit(1);
        }
        boolean quick = words.contains("--quick");
        KubeBench bench = quick ? new KubeBench(100, 500) : new KubeBench(1213, 5000);
        int only = words.indexOf("--only");
        String one = only < 0 ? "" : words.get(only + 1);
        int traces = words.indexOf("--traces");
        if (traces >= 0) {
            int seed = words.indexOf("--seed");
            PackingBench.of(Path.of(words.get(traces + 1)))
                    .run(seed < 0 ? 1 : Long.parseLong(words.get(seed + 1)));
            System.exit(0);
        }
        System.out.printf("%d pods, %d nodes with %d devices%n", bench.pods, bench.nodes, DEVICES);
        if (one.isEmpty() || one.equals("facet")) {
            bench.facet();
        }
        if (one.isEmpty() || one.equals("stock")) {
            bench.stock();
        }
        if (one.isEmpty() || one.equals("extender")) {
            bench.extender();
        }
        System.exit(0);
    }

    private void createPods(KubernetesClient client, String scheduler, boolean parts)
            throws Exception {
        Plane.inParallel(
                pods,
                each -> {
                    Pod pod =
                            Plane.pod(
                                    "pod-" + each,
                                    1 + each % 4,
                                    List.of(20, 25, 50, 100).get(each % 4));
                    pod.getSpec().setSchedulerName(scheduler);
                    if (!parts) {
                        pod.getSpec().getContainers().getFirst().getResources().setLimits(null);
                    }
                    client.pods().resource(pod).create();
                });
    }

    /** Until all are bound. */
    private void report(String what, ControlPlane plane, Start start, Member... others)
            throws Exception {
        KubernetesClient client = plane.client();
        List<Member> members = new ArrayList<>(List.of(Member.API_SERVER, Member.ETCD));
        Costs before = Costs.until(plane, client, members);
        double seconds;
        try (BoundCount count = BoundCount.open(plane)) {
            long begin = System.nanoTime();
            start.run();
            while (count.bound() < pods) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            seconds = (System.nanoTime() - begin) / 1e9;
        }
        members.addAll(List.of(others));
        Costs after = Costs.until(plane, client, members);
        System.out.printf(
                Locale.ROOT, "%-32s %7.1f pods a second (%.1f s)%n", what, pods / seconds, seconds);
        System.out.println(after.since(before, pods));
    }

    private interface Start {
        void run() throws Exception;
    }

    private void facet() throws Exception {
        try (ControlPlane plane = Plane.start()) {
            KubernetesClient client = plane.client();
            Plane.nodes(client, nodes, DEVICES);
            createPods(client, "facet-scheduler", true);
            try (SchedulerProcess process = Plane.waitingScheduler(client, "facet-scheduler")) {
                report("facet-scheduler, just started", plane, () -> process.leads(true));
                Plane.audit(client);
                // The same again, by a process that has run for a while.
                process.leads(false);
                Plane.inParallel(
                        pods,
                        each ->
                                client.pods()
                                        .inNamespace("default")
                                        .withName("pod-" + each)
                                        .withGracePeriod(0)
                                        .delete());
                Await.until("all is free", () -> process.state().ask(each -> each.used()) == 0);
                createPods(client, "facet-scheduler", true);
                report("facet-scheduler", plane, () -> process.leads(true));
                Plane.audit(client);
            }
        }
    }

    private void stock() throws Exception {
        try (ControlPlane plane = Plane.start()) {
            KubernetesClient client = plane.client();
            Plane.nodes(client, nodes, DEVICES);
            createPods(client, "default-scheduler", false);
            Path config = plane.folder().resolve("scheduler.yaml");
            Files.writeString(config, config(plane));
            report(
                    "kube-scheduler",
                    plane,
                    () -> plane.startScheduler("--config=" + config),
                    Member.SCHEDULER);
        }
    }

    private static String config(ControlPlane plane) throws Exception {
        return """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        leaderElection: {leaderElect: false}
        clientConnection: {kubeconfig: %s, qps: 5000, burst: 10000}
        """
                .formatted(plane.kubeconfig());
    }

    private void extender() throws Exception {
        try (ControlPlane plane = Plane.start()) {
            KubernetesClient client = plane.client();
            Plane.nodes(client, nodes, DEVICES);
            createPods(client, "default-scheduler", true);
            try (StockScheduler stock = StockScheduler.prepare(plane)) {
                report(
                        "kube-scheduler with extender",
                        plane,
                        () -> stock.start(plane),
                        Member.SCHEDULER);
                Plane.audit(client);
            }
        }
    }
}
