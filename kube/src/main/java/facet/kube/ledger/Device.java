package facet.kube.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import facet.place.Cluster;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A device as the agent of its node describes it, in the node's annotation {@code
 * facet.dev/devices}.
 *
 * @param memory bytes
 * @param compute thousandths
 * @param kind software, nvidia or mig
 */
public record Device(
        String uuid,
        int index,
        String model,
        long memory,
        int compute,
        String kind,
        boolean codec,
        boolean render,
        boolean healthy) {
    /** As an agent writes it: codec and render are thousandths, or whether it can at all. */
    record Written(
            @Nullable String uuid,
            int index,
            @Nullable String model,
            long memory,
            int compute,
            @Nullable String kind,
            @Nullable Object codec,
            @Nullable Object render,
            @Nullable Boolean healthy) {}

    private static final long MOST_MEMORY = 1L << 50;

    /**
     * @throws IllegalArgumentException when it is none, in words
     */
    public static List<Device> parse(String annotation) {
        Written[] all;
        try {
            all = Json.MAPPER.readValue(annotation, Written[].class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "facet.dev/devices is no list of devices: " + e.getOriginalMessage(), e);
        }
        if (all.length > Cluster.MOST_DEVICES) {
            throw new IllegalArgumentException(
                    "facet.dev/devices has " + all.length + "; a node has " + Cluster.MOST_DEVICES);
        }
        Set<String> known = new HashSet<>();
        List<Device> devices = Arrays.stream(all).map(Device::of).toList();
        for (Device each : devices) {
            if (!known.add(each.uuid())) {
                throw new IllegalArgumentException(
                        "facet.dev/devices has '" + each.uuid() + "' twice");
            }
        }
        return devices;
    }

    private static Device of(Written one) {
        if (one == null || one.uuid() == null || one.uuid().isBlank()) {
            throw new IllegalArgumentException("facet.dev/devices has a device without uuid");
        }
        if (one.memory() < 0 || one.memory() > MOST_MEMORY) {
            throw new IllegalArgumentException(
                    "device '" + one.uuid() + "' with " + one.memory() + " bytes of memory");
        }
        return new Device(
                one.uuid(),
                one.index(),
                one.model() == null ? "" : one.model(),
                one.memory(),
                one.compute(),
                one.kind() == null ? "" : one.kind(),
                can(one.codec()),
                can(one.render()),
                one.healthy() == null || one.healthy());
    }

    private static boolean can(@Nullable Object written) {
        return switch (written) {
            case null -> true;
            case Boolean can -> can;
            case Number thousandths -> thousandths.longValue() > 0;
            default -> !written.toString().isEmpty();
        };
    }
}
