package facet.node.worker;

import java.util.List;

/** Memory of the devices that a slice sees. */
final class DeviceMemories {
    private DeviceMemories() {}

    /**
     * Bytes of all of them together.
     *
     * @param limit of each
     */
    static long sum(long limit, List<Long> memories) {
        return memories.stream().mapToLong(each -> Math.min(limit, each)).sum();
    }
}
