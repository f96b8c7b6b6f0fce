package facet.kube.dra;

import com.fasterxml.jackson.databind.JsonNode;
import facet.kube.node.NodeDevice;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacityBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The node's devices as a ResourceSlice: of each, memory and compute can be consumed in parts, by
 * as many claims as there is room for.
 */
final class PublishedDevices {
    static final String MEMORY = "memory";
    static final String COMPUTE = "compute";

    /** Of a ResourceSlice. */
    private static final int MOST_DEVICES = 128;

    private static final String MEBIBYTE = Long.toString(1L << 20);
    private static final String PERCENT = "10";

    private final KubernetesClient client;
    private final String node;
    private final String driver;
    private List<NodeDevice> last = List.of();

    PublishedDevices(KubernetesClient client, String node, String driver) {
        this.client = client;
        this.node = node;
        this.driver = driver;
    }

    /** The daemon's numbers, by the names that devices have here. */
    static Map<String, Integer> numbers(JsonNode devices) {
        Map<String, Integer> all = new HashMap<>();
        devices.forEach(
                each -> all.put(name(each.path("device").asInt()), each.path("device").asInt()));
        return all;
    }

    private static String name(int number) {
        return "gpu-" + number;
    }

    /** Devices that are not well are left out. */
    void keep(List<NodeDevice> devices) {
        List<NodeDevice> well =
                devices.stream().filter(NodeDevice::healthy).limit(MOST_DEVICES).toList();
        if (well.equals(last)) {
            return;
        }
        Node owner = client.nodes().withName(node).get();
        if (owner == null) {
            return;
        }
        String name = node + "-" + driver;
        ResourceSlice there = client.resources(ResourceSlice.class).withName(name).get();
        long generation = there == null ? 1 : there.getSpec().getPool().getGeneration() + 1;
        ResourceSlice wanted =
                new ResourceSliceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withOwnerReferences(
                                new OwnerReferenceBuilder()
                                        .withApiVersion("v1")
                                        .withKind("Node")
                                        .withName(node)
                                        .withUid(owner.getMetadata().getUid())
                                        .build())
                        .endMetadata()
                        .withNewSpec()
                        .withDriver(driver)
                        .withNodeName(node)
                        .withNewPool()
                        .withName(node)
                        .withGeneration(generation)
                        .withResourceSliceCount(1L)
                        .endPool()
                        .withDevices(well.stream().map(PublishedDevices::device).toList())
                        .endSpec()
                        .build();
        if (there == null) {
            client.resource(wanted).create();
        } else if (!there.getSpec().getDevices().equals(wanted.getSpec().getDevices())) {
            client.resource(wanted).update();
        }
        last = well;
    }

    private static Device device(NodeDevice device) {
        return new DeviceBuilder()
                .withName(name(device.index()))
                .withAllowMultipleAllocations(true)
                .addToAttributes("uuid", text(device.uuid()))
                .addToAttributes("model", text(device.model()))
                .addToAttributes("kind", text(device.kind()))
                .addToAttributes(
                        "index",
                        new DeviceAttributeBuilder().withInt((long) device.index()).build())
                .addToCapacity(
                        MEMORY,
                        capacity(
                                Long.toString(device.memory()),
                                Long.toString(device.memory()),
                                MEBIBYTE))
                .addToCapacity(COMPUTE, capacity(Integer.toString(device.compute()), "0", PERCENT))
                .build();
    }

    private static DeviceAttribute text(String value) {
        return new DeviceAttributeBuilder().withString(value).build();
    }

    /**
     * @param usual what a claim consumes that does not say
     * @param step claims consume multiples of it
     */
    private static DeviceCapacity capacity(String value, String usual, String step) {
        return new DeviceCapacityBuilder()
                .withValue(new Quantity(value))
                .withNewRequestPolicy()
                .withDefault(new Quantity(usual))
                .withNewValidRange()
                .withMin(new Quantity("0"))
                .withStep(new Quantity(step))
                .endValidRange()
                .endRequestPolicy()
                .build();
    }
}
