package facet.kube.scheduler;

import facet.kube.ledger.ClusterState;
import facet.kube.ledger.Device;
import facet.kube.ledger.Given;
import facet.kube.ledger.Placed;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the stock scheduler allocated by ResourceClaims, so that all others see it. A claim of our
 * driver names the node as its pool and the device by its uuid or its number.
 */
final class Claims {
    static final String DRIVER = "gpu.facet.dev";

    private Claims() {}

    static void enter(ClusterState state, ResourceClaim claim) {
        String uid = claim.getMetadata().getUid();
        var allocation = claim.getStatus() == null ? null : claim.getStatus().getAllocation();
        if (allocation == null || allocation.getDevices() == null) {
            state.claimGone(uid);
            return;
        }
        Map<String, Map<String, Given>> byNode = new HashMap<>();
        int number = 0;
        for (DeviceRequestAllocationResult each : allocation.getDevices().getResults()) {
            if (DRIVER.equals(each.getDriver())) {
                given(state, each)
                        .ifPresent(given ->
                                byNode.computeIfAbsent(each.getPool(), _ -> new HashMap<>())
                                        .put(each.getRequest() + "-" + each.getDevice(), given));
                number++;
            }
        }
        if (number == 0) {
            state.claimGone(uid);
        }
        byNode.forEach((node, given) -> state.claim(uid, node, new Placed("dra", given)));
    }

    private static Optional<Given> given(ClusterState state, DeviceRequestAllocationResult result) {
        String name = result.getDevice().toLowerCase(Locale.ROOT);
        for (Device each : state.devices(result.getPool())) {
            if (name.equals(each.uuid().toLowerCase(Locale.ROOT))
                    || name.equals("gpu-" + each.index())) {
                Map<String, Quantity> used = result.getConsumedCapacity();
                // Without shares a claim has the device for itself.
                long memory = used == null ? each.memory() : number(used.get("memory"));
                long compute = used == null ? 1000 : number(used.get("compute"));
                return Optional.of(
                        new Given(
                                List.of(each.uuid()),
                                Math.clamp(memory, 0, each.memory()),
                                Math.clamp(compute, 0, 1000),
                                0,
                                0,
                                0,
                                "burst",
                                0));
            }
        }
        return Optional.empty();
    }

    private static long number(@Nullable Quantity quantity) {
        return quantity == null ? 0 : quantity.getNumericalAmount().longValue();
    }
}
