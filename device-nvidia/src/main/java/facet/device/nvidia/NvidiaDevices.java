package facet.device.nvidia;

import facet.device.Arbiter;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.DeviceFactory;
import facet.device.DeviceProfile;
import facet.device.FoundDevice;
import facet.device.Stall;
import facet.device.nvidia.foreign.InDriver;
import java.util.List;
import java.util.Optional;

/** Devices behind the vendor's driver: those that were found, and no others. */
public final class NvidiaDevices implements DeviceFactory {
    private final VendorSettings settings;
    private final List<FoundDevice> found;

    /**
     * @param found by {@link Discovery}; a worker, which is told what to open, has none
     */
    public NvidiaDevices(VendorSettings settings, List<FoundDevice> found) {
        this.settings = settings;
        this.found = List.copyOf(found);
    }

    @Override
    public List<FoundDevice> found() {
        return found;
    }

    @Override
    public boolean isSoftware() {
        return false;
    }

    @Override
    public Optional<Stall> stall() {
        return InDriver.longest(settings.patience());
    }

    @Override
    public boolean sharesMemory() {
        return false;
    }

    @Override
    public List<Device> open(List<String> ids, int multiprocessors, List<Arbiter> arbiters) {
        return OpenedDevices.of(settings, ids, multiprocessors, arbiters);
    }

    @Override
    public int[] attributes(DeviceProfile seen, int ordinal, int count) {
        // Devices of one name and size are alike.
        return found.stream()
                .filter(each -> each.profile().name().equals(seen.name()))
                .findFirst()
                .map(each -> Attribute.shown(seen, each.attributes(), count))
                .orElseGet(() -> new int[count]);
    }

    // ---- what is for devices that are made

    @Override
    public List<String> capabilities() {
        return List.of();
    }

    @Override
    public String usualCapability() {
        return found.isEmpty() ? "" : found.getFirst().profile().capability();
    }

    @Override
    public DeviceProfile profile(String capability, String name, long memory, int seats) {
        throw notMade();
    }

    @Override
    public Device create(DeviceProfile profile, int seats) {
        throw notMade();
    }

    @Override
    public Device create(DeviceProfile profile, int seats, Arbiter arbiter) {
        throw notMade();
    }

    private static DeviceException notMade() {
        return new DeviceException(
                DeviceError.INVALID_VALUE, "a vendor's devices are found, not made");
    }

    @Override
    public String warmUp() {
        throw notMade();
    }
}
