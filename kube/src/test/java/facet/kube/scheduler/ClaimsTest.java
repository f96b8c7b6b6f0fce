package facet.kube.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.kube.ledger.ClusterState;
import facet.kube.ledger.Samples;
import facet.kube.ledger.ScheduleSettings;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import org.junit.jupiter.api.Test;

final class ClaimsTest {
    private final ClusterState state = new ClusterState(ScheduleSettings.usual());

    private static ResourceClaim claim(String driver, String device, int thousandths) {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withName("c")
                .withUid("claim")
                .endMetadata()
                .withNewStatus()
                .withNewAllocation()
                .withNewDevices()
                .addNewResult()
                .withDriver(driver)
                .withPool("n")
                .withDevice(device)
                .withRequest("gpu")
                .addToConsumedCapacity("memory", new Quantity("4Gi"))
                .addToConsumedCapacity("compute", new Quantity(Integer.toString(thousandths)))
                .endResult()
                .endDevices()
                .endAllocation()
                .endStatus()
                .build();
    }

    private long used() {
        state.settle();
        return state.used();
    }

    @Test
    void whatAClaimConsumesIsTakenAndComesBack() {
        state.node(Samples.facts("n", 2));
        Claims.enter(state, claim("gpu.facet.dev", "gpu-1", 300));
        assertEquals(300, used());
        ResourceClaim free = claim("gpu.facet.dev", "gpu-1", 300);
        free.getStatus().setAllocation(null);
        Claims.enter(state, free);
        assertEquals(0, used());
    }

    @Test
    void claimsOfOthersAndDevicesThatAreNotThereTakeNothing() {
        state.node(Samples.facts("n", 2));
        Claims.enter(state, claim("gpu.other.dev", "gpu-1", 300));
        Claims.enter(state, claim("gpu.facet.dev", "gpu-7", 300));
        assertEquals(0, used());
    }

    @Test
    void aClaimForMoreThanThereIsTakesAllOfTheDevice() {
        state.node(Samples.facts("n", 1));
        Claims.enter(state, claim("gpu.facet.dev", "gpu-0", 2_000_000_000));
        assertEquals(1000, used());
    }
}
