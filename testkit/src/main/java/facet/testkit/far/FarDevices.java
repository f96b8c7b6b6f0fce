package facet.testkit.far;

import facet.device.Arbiter;
import facet.device.Device;
import facet.device.DeviceFactory;
import facet.device.DeviceProfile;
import java.util.List;

/**
 * Devices of another kind, without memory that can be mapped.
 *
 * @param near the other kind
 */
public record FarDevices(DeviceFactory near) implements DeviceFactory {
    private static final int HOST_NATIVE_ATOMIC_SUPPORTED = 86;
    private static final int CONCURRENT_MANAGED_ACCESS = 89;
    private static final int DIRECT_MANAGED_ACCESS_FROM_HOST = 101;
    private static final int VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102;
    private static final int POSIX_FILE_DESCRIPTOR_SUPPORTED = 103;
    private static final int MEMPOOL_SUPPORTED_HANDLE_TYPES = 119;

    /** As {@link FarDevice} has it, for one that is there already. */
    public static Device of(Device near) {
        return new FarDevice(near);
    }

    @Override
    public List<String> capabilities() {
        return near.capabilities();
    }

    @Override
    public String usualCapability() {
        return near.usualCapability();
    }

    @Override
    public DeviceProfile profile(String capability, String name, long memory, int seats) {
        return near.profile(capability, name, memory, seats);
    }

    @Override
    public Device create(DeviceProfile profile, int seats) {
        return of(near.create(profile, seats));
    }

    @Override
    public Device create(DeviceProfile profile, int seats, Arbiter arbiter) {
        return of(near.create(profile, seats, arbiter));
    }

    @Override
    public boolean sharesMemory() {
        return false;
    }

    @Override
    public int[] attributes(DeviceProfile seen, int ordinal, int count) {
        return without(near.attributes(seen, ordinal, count));
    }

    /** Host and device do not see what the other one does to memory while kernels run. */
    static int[] without(int[] attributes) {
        attributes[HOST_NATIVE_ATOMIC_SUPPORTED] = 0;
        attributes[CONCURRENT_MANAGED_ACCESS] = 0;
        attributes[DIRECT_MANAGED_ACCESS_FROM_HOST] = 0;
        attributes[VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED] = 0;
        attributes[POSIX_FILE_DESCRIPTOR_SUPPORTED] = 0;
        attributes[MEMPOOL_SUPPORTED_HANDLE_TYPES] = 0;
        return attributes;
    }

    @Override
    public String warmUp() {
        return near.warmUp();
    }
}
