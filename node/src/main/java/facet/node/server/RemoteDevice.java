package facet.node.server;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceProfile;
import facet.device.Memory;
import java.util.List;
import java.util.UUID;

/** A device of another node: what programs see of it. Whatever is done, is done there. */
public final class RemoteDevice implements Device {
    /** cuDeviceGetAttribute's number for multiprocessors. */
    private static final int MULTIPROCESSORS = 16;

    private final DeviceProfile profile;
    private final UUID uuid;
    private final int[] attributes;

    /**
     * @param attributes the answers to cuDeviceGetAttribute there
     */
    public RemoteDevice(DeviceProfile profile, UUID uuid, List<Integer> attributes) {
        this.profile = profile;
        this.uuid = uuid;
        this.attributes = attributes.stream().mapToInt(Integer::intValue).toArray();
    }

    UUID uuid() {
        return uuid;
    }

    @Override
    public DeviceProfile profile() {
        return profile;
    }

    @Override
    public int[] attributes(DeviceProfile seen, int ordinal, int count) {
        int[] answers = new int[count];
        System.arraycopy(attributes, 0, answers, 0, Math.min(count, attributes.length));
        if (count > MULTIPROCESSORS) {
            answers[MULTIPROCESSORS] = seen.multiprocessors();
        }
        return answers;
    }

    @Override
    public boolean sharesMemory() {
        return false;
    }

    @Override
    public Memory createMemory(String name, long bytes) {
        throw elsewhere();
    }

    @Override
    public Context createContext(ContextOptions options) {
        throw elsewhere();
    }

    private static IllegalStateException elsewhere() {
        return new IllegalStateException("the device is on another node");
    }

    @Override
    public void close() {
        // Nothing of it is here.
    }
}
