package facet.node.worker;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Memory of the devices that a slice sees, on the way to its worker. */
final class DeviceMemories {
    private DeviceMemories() {}

    static String text(List<Long> memories) {
        return memories.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    static long[] parse(String text) {
        return Arrays.stream(text.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }

    /**
     * Bytes of all of them together.
     *
     * @param limit of each
     */
    static long sum(long limit, List<Long> memories) {
        return memories.stream().mapToLong(each -> Math.min(limit, each)).sum();
    }
}
