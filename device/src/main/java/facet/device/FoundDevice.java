package facet.device;

import java.util.List;

/**
 * A device that is there by itself.
 *
 * @param id by which every process finds it: {@code GPU-…}, {@code MIG-…}
 * @param bus where it is, in words of its kind; empty where nobody knows
 * @param attributes answers to cuDeviceGetAttribute, by its numbers; 0 where there is none
 */
public record FoundDevice(String id, String bus, DeviceProfile profile, List<Integer> attributes) {
    public FoundDevice {
        attributes = List.copyOf(attributes);
    }
}
