package facet.kube.dra;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a claim has of each of its devices.
 *
 * @param numbers of the devices
 * @param memory bytes of each
 * @param thousandths of each device's time
 */
record ConsumedPart(TreeSet<Integer> numbers, long memory, int thousandths) {
    private static final int THOUSANDTHS_OF_A_PERCENT = 10;

    /**
     * @param devices rows of the daemon
     * @param names of devices, with their numbers
     */
    static ConsumedPart of(
            List<DeviceRequestAllocationResult> results,
            JsonNode devices,
            Map<String, Integer> names)
            throws IOException {
        ConsumedPart all = null;
        for (DeviceRequestAllocationResult each : results) {
            Integer number = names.get(each.getDevice());
            if (number == null) {
                throw new IOException("this node has no device " + each.getDevice());
            }
            Map<String, Quantity> consumed =
                    each.getConsumedCapacity() == null ? Map.of() : each.getConsumedCapacity();
            long memory =
                    consumed.containsKey(PublishedDevices.MEMORY)
                            ? exact(consumed.get(PublishedDevices.MEMORY))
                            : devices.path(number).path("memory").asLong();
            int thousandths =
                    consumed.containsKey(PublishedDevices.COMPUTE)
                            ? Math.toIntExact(exact(consumed.get(PublishedDevices.COMPUTE)))
                            : 0;
            if (all == null) {
                all = new ConsumedPart(new TreeSet<>(), memory, thousandths);
            } else if (all.memory != memory || all.thousandths != thousandths) {
                throw new IOException(
                        "the claim has different amounts of its devices, and a slice has the same"
                                + " of each; ask for the same, or make two claims");
            }
            all.numbers.add(number);
        }
        if (all == null) {
            throw new IOException("the claim has no device of this node");
        }
        return all;
    }

    private static long exact(Quantity quantity) {
        return new BigDecimal(quantity.getNumericalAmount().toPlainString()).longValueExact();
    }

    /**
     * @param count of the node's devices
     */
    Map<String, String> settings(String name, int count) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("name", name);
        settings.put("memory", Long.toString(memory));
        if (count > 1) {
            settings.put(
                    "device",
                    numbers.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        int percent = thousandths / THOUSANDTHS_OF_A_PERCENT;
        if (percent > 0) {
            settings.put("compute", Integer.toString(percent));
        } else {
            settings.put("policy", "burst");
        }
        return settings;
    }
}
