package facet.kube.extender;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.kube.cli.FacetKube;
import facet.kube.cluster.Await;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.Programs;
import facet.kube.scheduler.Plane;
import facet.kube.scheduler.SchedulerProcess;
import facet.kube.scheduler.StockScheduler;
import facet.kube.serve.Strangers;
import facet.kube.serve.TestDoor;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The stock kube-scheduler, a real one, with the extender; and facet-scheduler beside it. */
@Timeout(600)
final class ExtenderTest {
    @Test
    void theStockSchedulerPlacesPartsBesideOurOwn() throws Exception {
        Programs.assume();
        try (ControlPlane plane = Plane.start()) {
            KubernetesClient client = plane.client();
            Plane.nodes(client, 10, 4);
            try (StockScheduler stock = StockScheduler.prepare(plane);
                    SchedulerProcess _ = Plane.scheduler(client, "facet-scheduler")) {
                TestDoor door = stock.door();
                stock.start(plane);
                // Half of them by each, and one more than fit: 80 halves of 40 devices.
                Plane.inParallel(
                        81,
                        each -> {
                            Pod pod = Plane.pod("pod-" + each, 2, 50);
                            if (each % 2 == 0) {
                                pod.getSpec().setSchedulerName("default-scheduler");
                            }
                            client.pods().resource(pod).create();
                        });
                Await.until("80 are bound", () -> Plane.bound(client) == 80);
                Plane.audit(client);
                String inspected = Strangers.post(door, "/gpushare-scheduler/inspect", "");
                assertTrue(inspected.contains("\"totalGPU\":64"), inspected);
                assertEquals(403, Strangers.statusWithoutCertificate(door, "/filter"));
                assertEquals(403, Strangers.statusWithoutCertificate(door, "/x/bind"));
                commands(plane);
            }
        }
    }

    /** What people ask of this very cluster. */
    private static void commands(ControlPlane plane) throws Exception {
        System.setProperty("kubeconfig", plane.kubeconfig().toString());
        try {
            StringWriter out = new StringWriter();
            CommandLine facet = FacetKube.commandLine().setOut(new PrintWriter(out));
            Pattern name = Pattern.compile("default/pod-");
            // GpuSlices are written a moment after pods are bound.
            Await.until(
                    "top shows 80 pods",
                    () -> {
                        out.getBuffer().setLength(0);
                        assertEquals(0, facet.execute("top"));
                        return name.matcher(out.toString()).results().count() == 80;
                    });
            assertTrue(out.toString().contains("16 GiB"), out.toString());
            out.getBuffer().setLength(0);
            assertEquals(1, facet.execute("doctor"));
            assertTrue(out.toString().contains("ok       40 devices on 10 nodes"), out.toString());
            assertTrue(out.toString().contains("facet-webhook does not run"), out.toString());
            out.getBuffer().setLength(0);
            assertEquals(0, facet.execute("install", "--dry-run"));
            assertTrue(
                    out.toString().contains("would apply ClusterRole facet-agent"), out.toString());
        } finally {
            System.clearProperty("kubeconfig");
        }
    }
}
