package facet.kube.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.kube.cluster.Await;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.Programs;
import facet.kube.ledger.NodeFacts;
import facet.kube.names.Names;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that go from pool to pool, drained and not emptied by force. */
@Timeout(600)
final class PoolTest {
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");

    private static GenericKubernetesResource pool(String name, Map<String, Object> spec) {
        GenericKubernetesResource pool = new GenericKubernetesResource();
        pool.setApiVersion("facet.dev/v1");
        pool.setKind("GpuPool");
        pool.setMetadata(new ObjectMetaBuilder().withName(name).build());
        pool.setAdditionalProperty("spec", spec);
        return pool;
    }

    private static Map<String, Object> tide(int day, int night) {
        return Map.of(
                "tide",
                List.of(
                        Map.of("from", "08:00", "nodes", day),
                        Map.of("from", "20:00", "nodes", night)));
    }

    @Test
    void calendarsOfPoolsAreOne() {
        Pools pools = Pools.read(List.of(pool("day", tide(3, 1)), pool("night", tide(1, 3))));
        assertEquals(Map.of("day", 3, "night", 1), pools.tide().orElseThrow().at(8 * 3600));
        assertEquals(Map.of("day", 1, "night", 3), pools.tide().orElseThrow().at(3600));
        assertEquals(1800, pools.drain());
    }

    @Test
    void whatMakesNoSenseIsSaidInWords() {
        assertWords(
                "as many",
                List.of(pool("day", tide(3, 1)), pool("night", tide(1, 1))),
                "another number of nodes");
        assertWords(
                "time",
                List.of(pool("day", Map.of("tide", List.of(Map.of("from", "25:00", "nodes", 1))))),
                "such as 08:00");
        assertWords(
                "negative",
                List.of(
                        pool(
                                "day",
                                Map.of(
                                        "tide",
                                        List.of(Map.of("from", "05:00", "nodes", -1L << 40))))),
                "a number from 0");
        assertWords(
                "two",
                List.of(
                        pool("a", Map.of("nodes", List.of("n"))),
                        pool("b", Map.of("nodes", List.of("n")))),
                "leave it out of one");
    }

    private static void assertWords(
            String what, List<GenericKubernetesResource> pools, String words) {
        IllegalArgumentException failure =
                assertThrows(IllegalArgumentException.class, () -> Pools.read(pools).tide(), what);
        assertTrue(String.valueOf(failure.getMessage()).contains(words), failure::toString);
    }

    @Test
    void nodesGoWhenTheirTurnHasComeAndNothingIsOnThem() throws Exception {
        Programs.assume();
        try (ControlPlane plane = Plane.start()) {
            KubernetesClient client = plane.client();
            for (int i = 0; i < 4; i++) {
                var node = Plane.node("node-" + i, 1);
                node.getMetadata().getLabels().put(Names.POOL, "day");
                client.nodes().resource(node).create();
            }
            try (SchedulerProcess process = Plane.scheduler(client, "facet-scheduler")) {
                // A device each: every node but one has a pod.
                for (int i = 0; i < 3; i++) {
                    client.pods().resource(Plane.pod("pod-" + i, 2, 80)).create();
                }
                Await.until("three are bound", () -> Plane.bound(client) == 3);
                process.leads(false);
                create(client, pool("day", tide(3, 1)));
                create(client, pool("night", tide(1, 3)));
                PoolObjects objects =
                        new PoolObjects(client, process.state(), () -> now, Plane.LOG);

                // Three are to be day's: the one that nothing is on goes at once.
                await(objects, process, Map.of("day", 3L, "night", 1L), 0);

                // Half an hour before the turn two more take nothing new, and stay.
                now = Instant.parse("2026-03-01T19:40:00Z");
                await(objects, process, Map.of("day", 3L, "night", 1L), 2);

                // The turn is there, and so are their pods.
                now = Instant.parse("2026-03-01T20:10:00Z");
                await(objects, process, Map.of("day", 3L, "night", 1L), 2);
                assertEquals(3, Plane.bound(client));

                client.pods().inNamespace("default").withGracePeriod(0).delete();
                await(objects, process, Map.of("day", 1L, "night", 3L), 0);
                assertEquals(
                        Map.of("nodes", 3, "moving", 0, "devices", 3, "used", "0", "message", ""),
                        status(client, "night"));

                // A pool that names a node has it; the calendar of the others is theirs.
                create(client, pool("own", Map.of("nodes", List.of("node-0"))));
                await(process, objects, () -> pools(process).getOrDefault("own", 0L) == 1L);
            }
        }
    }

    private static void create(KubernetesClient client, GenericKubernetesResource pool) {
        client.genericKubernetesResources(Pools.CONTEXT).resource(pool).create();
    }

    private static Map<?, ?> status(KubernetesClient client, String pool) {
        return (Map<?, ?>)
                Objects.requireNonNull(
                        client.genericKubernetesResources(Pools.CONTEXT)
                                .withName(pool)
                                .get()
                                .getAdditionalProperties()
                                .get("status"));
    }

    private static Map<String, Long> pools(SchedulerProcess process) {
        Map<String, Long> counts = new TreeMap<>();
        for (NodeFacts each : nodes(process)) {
            counts.merge(each.pool(), 1L, Long::sum);
        }
        return counts;
    }

    private static List<NodeFacts> nodes(SchedulerProcess process) {
        return process.state().ask(each -> List.copyOf(each.nodes().values()));
    }

    /** Until nodes are so, and so many are on their way. */
    private static void await(
            PoolObjects objects, SchedulerProcess process, Map<String, Long> wanted, long moving)
            throws InterruptedException {
        await(
                process,
                objects,
                () ->
                        pools(process).equals(wanted)
                                && nodes(process).stream()
                                                .filter(each -> !each.nextPool().isEmpty())
                                                .count()
                                        == moving);
    }

    private static void await(
            SchedulerProcess process, PoolObjects objects, Await.Condition condition)
            throws InterruptedException {
        Await.until(
                "nodes are where they are to be",
                () -> {
                    objects.run();
                    return condition.holds();
                },
                () -> nodes(process).toString());
        // It stays so.
        objects.run();
        objects.run();
    }
}
