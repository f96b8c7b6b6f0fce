package facet.node;

import facet.slices.Isolation;
import facet.slices.Settings;
import facet.slices.Slice;
import java.util.HashSet;
import java.util.Set;

/** What slices get that do not say what they want. Any thread. */
final class SliceDefaults {
    private final int devices;
    private final Isolation isolation;
    private final Isolation ofContainers;

    /** Kept slices that containers have, or once had: what is theirs stays so. */
    private final Set<String> joined;

    /**
     * @param devices of the node
     * @param isolation of slices that do not say
     * @param ofContainers the same, of slices that containers have
     * @param joined those that containers have already
     */
    SliceDefaults(int devices, Isolation isolation, Isolation ofContainers, Set<String> joined) {
        this.devices = devices;
        this.isolation = isolation;
        this.ofContainers = ofContainers;
        this.joined = new HashSet<>(joined);
    }

    synchronized Settings.Whole of(String slice) {
        return new Settings.Whole(
                Slice.ALL_MEMORY,
                slice.equals(Slice.DEFAULT) ? Math.max(1, devices) : 1,
                joined.contains(slice) ? ofContainers : isolation);
    }

    Settings.Whole ofProgram() {
        return new Settings.Whole(Slice.ALL_MEMORY, 1, isolation);
    }

    Settings.Whole ofContainer() {
        return new Settings.Whole(Slice.ALL_MEMORY, 1, ofContainers);
    }

    synchronized boolean isJoined(String slice) {
        return joined.contains(slice);
    }

    /** Containers have it from now on. */
    synchronized void join(String slice) {
        joined.add(slice);
    }

    /** It turned out that they cannot, or it is there no more. */
    synchronized void part(String slice) {
        joined.remove(slice);
    }
}
