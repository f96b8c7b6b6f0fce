package facet.kube.scheduler;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import facet.kube.ledger.NodeFacts;
import facet.kube.ledger.PoolPlan;
import facet.kube.ledger.Usage;
import facet.kube.names.Names;
import facet.log.Log;
import facet.place.tide.Tide;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets nodes go to the pools that GpuPools give them: by name, or by the calendar of tides. A node
 * is told by an annotation where it is to go, takes nothing new from then on, and goes when nothing
 * that has a part of its devices is on it. Nobody is ended for it.
 */
final class PoolObjects {
    private final KubernetesClient client;
    private final SharedState state;
    private final InstantSource clock;
    private final Log log;

    PoolObjects(KubernetesClient client, SharedState state, InstantSource clock, Log log) {
        this.client = client;
        this.state = state;
        this.clock = clock;
        this.log = log;
    }

    void run() {
        List<GenericKubernetesResource> objects =
                client.genericKubernetesResources(Pools.CONTEXT).list().getItems();
        String trouble = "";
        Tide tide = null;
        try {
            Pools pools = Pools.read(objects);
            tide = pools.tide().orElse(null);
            moves(pools, tide).forEach(this::tell);
        } catch (IllegalArgumentException e) {
            trouble = String.valueOf(e.getMessage());
        }
        if (trouble.isEmpty()) {
            go(tide);
        }
        Map<String, Usage.OfPool> usage = state.ask(each -> new Usage(each).pools());
        for (GenericKubernetesResource each : objects) {
            status(each, usage.get(each.getMetadata().getName()), trouble);
        }
    }

    private List<PoolPlan.Move> moves(Pools pools, @Nullable Tide tide) {
        List<PoolPlan.Move> moves = new ArrayList<>();
        for (NodeFacts each : nodes()) {
            String pool = pools.nodes().getOrDefault(each.name(), "");
            boolean there = each.nextPool().isEmpty() && each.pool().equals(pool);
            if (!pool.isEmpty() && !there && !each.nextPool().equals(pool)) {
                moves.add(new PoolPlan.Move(each.name(), pool.equals(each.pool()) ? "" : pool));
            }
        }
        if (tide != null) {
            moves.addAll(state.ask(to -> new PoolPlan(to).decide(tide, pools.drain(), now())));
        }
        return moves;
    }

    private List<NodeFacts> nodes() {
        return state.ask(each -> List.copyOf(each.nodes().values()));
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Those that are to go, that nothing is on, and that are wanted there already. */
    private void go(@Nullable Tide tide) {
        for (NodeFacts each : nodes()) {
            boolean goes =
                    !each.nextPool().isEmpty()
                            && state.ask(to -> to.isIdle(each.name()))
                            && (tide == null
                                    || state.ask(to -> new PoolPlan(to).isDue(tide, each, now())));
            if (goes && patch(each.name(), each.nextPool(), "")) {
                // What is known of nodes is to be true for the next one.
                state.change(to -> to.node(each.in(each.nextPool())));
                log.info("pools", "node " + each.name() + " is in pool " + each.nextPool());
            }
        }
    }

    private void tell(PoolPlan.Move move) {
        if (patch(move.node(), "", move.pool())) {
            log.info(
                    "pools",
                    "node "
                            + move.node()
                            + (move.pool().isEmpty()
                                    ? " stays in its pool"
                                    : " is to go to pool " + move.pool()));
        }
    }

    /**
     * @param pool its label; empty: as it is
     * @param next its annotation; empty: it has none
     * @return whether it was written
     */
    private boolean patch(String node, String pool, String next) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode annotations = patch.putObject("metadata").putObject("annotations");
        if (next.isEmpty()) {
            annotations.putNull(Names.NEXT_POOL);
        } else {
            annotations.put(Names.NEXT_POOL, next);
        }
        if (!pool.isEmpty()) {
            patch.withObject("/metadata").putObject("labels").put(Names.POOL, pool);
        }
        try {
            client.nodes()
                    .withName(node)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
            return true;
        } catch (KubernetesClientException e) {
            log.warning("pools", "node " + node + " stays as it is: " + e.getMessage());
            return false;
        }
    }

    private void status(
            GenericKubernetesResource object, Usage.@Nullable OfPool usage, String trouble) {
        Map<String, Object> status = new HashMap<>();
        status.put("nodes", usage == null ? 0 : usage.nodes());
        status.put("moving", usage == null ? 0 : usage.moving());
        status.put("devices", usage == null ? 0 : usage.devices());
        status.put("used", Statuses.devices(usage == null ? 0 : usage.used()));
        status.put("message", trouble);
        try {
            Statuses.write(client, object, status);
        } catch (KubernetesClientException e) {
            // It is another one meanwhile: next time.
            log.debug("pools", object.getMetadata().getName() + ": " + e.getMessage());
        }
    }
}
