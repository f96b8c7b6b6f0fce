package facet.kube.ledger;

import facet.place.Cluster;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a container gets.
 *
 * @param devices their uuids
 * @param memory bytes of each
 * @param thousandths of each that are promised
 * @param codec thousandths of each
 * @param render thousandths of each
 * @param burst thousandths beyond what the device has
 * @param policy how the daemon shares its time
 * @param priority in the daemon
 */
public record Given(
        List<String> devices,
        long memory,
        int thousandths,
        int codec,
        int render,
        int burst,
        @Nullable String policy,
        int priority) {
    public Given {
        devices = devices == null ? List.of() : List.copyOf(devices);
        if (memory < 0 || !isPart(thousandths) || !isPart(codec) || !isPart(render)) {
            throw new IllegalArgumentException(
                    "a part of a device with %d bytes, %d, %d and %d thousandths"
                            .formatted(memory, thousandths, codec, render));
        }
        if (burst < 0 || devices.size() > Cluster.MOST_DEVICES) {
            throw new IllegalArgumentException(
                    devices.size() + " devices with a burst of " + burst);
        }
    }

    private static boolean isPart(int thousandths) {
        return thousandths >= 0 && thousandths <= Cluster.WHOLE;
    }

    public Given with(long otherMemory, int otherThousandths) {
        return new Given(
                devices, otherMemory, otherThousandths, codec, render, burst, policy, priority);
    }
}
