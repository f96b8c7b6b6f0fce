package facet.node.pool;

import facet.device.DeviceProfile;
import java.util.List;
import java.util.UUID;

/**
 * A device as its node tells of it.
 *
 * @param device its number there
 * @param attributes the answers to cuDeviceGetAttribute
 * @param lendable bytes that a slice of another node may have at most
 * @param used bytes that programs have
 * @param memoryPromised bytes that slices were promised; may be more than it has
 * @param timeRest percent of its time that nobody was promised
 */
public record DeviceNews(
        int device,
        UUID uuid,
        DeviceProfile profile,
        List<Integer> attributes,
        long lendable,
        long used,
        long memoryPromised,
        int timeRest) {
    private static final int MOST_ATTRIBUTES = 4096;
    private static final int MOST_NUMBER = 1024;
    private static final int LONGEST_NAME = 255;

    public DeviceNews {
        attributes = List.copyOf(attributes);
        if (device < 0
                || device >= MOST_NUMBER
                || attributes.size() > MOST_ATTRIBUTES
                || profile.memory() <= 0
                || profile.multiprocessors() <= 0
                || profile.name().isEmpty()
                || profile.name().length() > LONGEST_NAME
                || uuid == null) {
            throw new IllegalArgumentException("a device that is none: " + device);
        }
    }

    /** Bytes that nobody was promised. */
    long free() {
        return Math.max(0, profile.memory() - Math.max(0, memoryPromised));
    }

    /** How much of it is promised, of memory or of time, whichever is more; 1 is all. */
    double load() {
        return Math.max((double) memoryPromised / profile.memory(), (100.0 - timeRest) / 100);
    }
}
