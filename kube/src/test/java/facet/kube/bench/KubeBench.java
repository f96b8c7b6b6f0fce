package facet.kube.bench;

import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.Programs;
import facet.kube.extender.Extender;
import facet.kube.extender.SchedulerPolicy;
import facet.kube.names.Family;
import facet.kube.names.Reader;
import facet.kube.scheduler.Plane;
import facet.kube.scheduler.SchedulerProcess;
import facet.kube.serve.TestDoor;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
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
                    "Usage: facet bench kube [--quick] [--only facet|stock|extender]\n\n"
                            + "Pods bound a second, 5,000 on 1,213 nodes; --quick: 500 on 100.");
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

    private void create(KubernetesClient client, String scheduler, boolean parts) throws Exception {
        Plane.nodes(client, nodes, DEVICES);
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

    /** Seconds until all are bound. */
    private void report(String what, KubernetesClient client, long begin) throws Exception {
        while (Plane.bound(client) < pods) {
            TimeUnit.MILLISECONDS.sleep(200);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(
                Locale.ROOT, "%-32s %7.1f pods a second (%.1f s)%n", what, pods / seconds, seconds);
    }

    private void facet() throws Exception {
        try (ControlPlane plane = Plane.start()) {
            KubernetesClient client = plane.client();
            create(client, "facet-scheduler", true);
            try (SchedulerProcess process = Plane.waitingScheduler(client, "facet-scheduler")) {
                long begin = System.nanoTime();
                process.leads(true);
                // Listing 5,000 pods costs the apiserver as much as hundreds of binds.
                while (process.scheduler().bound() < pods) {
                    TimeUnit.MILLISECONDS.sleep(20);
                    if (Boolean.getBoolean("facet.bench.trace")) {
                        System.out.printf(
                                "%d ms: %d bound, %d conflicts, %d wait%n",
                                (System.nanoTime() - begin) / 1_000_000,
                                process.scheduler().bound(),
                                process.scheduler().conflicts(),
                                process.state().ask(each -> each.waitingCount()));
                        TimeUnit.MILLISECONDS.sleep(480);
                    }
                }
                report("facet-scheduler", client, begin);
                Plane.audit(client);
            }
        }
    }

    private void stock() throws Exception {
        try (ControlPlane plane = Plane.start()) {
            KubernetesClient client = plane.client();
            create(client, "default-scheduler", false);
            Path config = plane.folder().resolve("scheduler.yaml");
            Files.writeString(config, config(plane));
            long begin = System.nanoTime();
            plane.startScheduler("--config=" + config);
            report("kube-scheduler", client, begin);
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
            create(client, "default-scheduler", true);
            try (SchedulerProcess books = Plane.waitingScheduler(client, "facet-extender");
                    TestDoor door =
                            TestDoor.open(
                                    new Extender(
                                                    client,
                                                    books.state(),
                                                    books.binder(),
                                                    new Reader(Family.ALL))
                                            .places())) {
                Path folder = plane.folder();
                door.writeClient(folder);
                Path config = folder.resolve("scheduler.yaml");
                Files.writeString(
                        config,
                        SchedulerPolicy.text(
                                plane.kubeconfig().toString(),
                                door.url(),
                                folder.toString(),
                                Family.ALL));
                long begin = System.nanoTime();
                plane.startScheduler("--config=" + config);
                report("kube-scheduler with extender", client, begin);
                Plane.audit(client);
            }
        }
    }
}
