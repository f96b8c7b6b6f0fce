package facet.device.cpu;

import facet.device.Arbiter;
import facet.device.Device;
import facet.device.DeviceFactory;
import facet.device.DeviceProfile;
import java.util.List;

/** Software GPUs. */
public final class CpuDevices implements DeviceFactory {
    @Override
    public List<String> capabilities() {
        return Capability.texts();
    }

    @Override
    public String usualCapability() {
        return Capability.USUAL.text();
    }

    @Override
    public DeviceProfile profile(String capability, String name, long memory, int seats) {
        return Capability.of(capability).profile(name, memory, seats);
    }

    @Override
    public Device create(DeviceProfile profile, int seats) {
        return CpuDevice.create(profile, seats);
    }

    @Override
    public Device create(DeviceProfile profile, int seats, Arbiter arbiter) {
        return CpuDevice.create(profile, seats, arbiter);
    }

    @Override
    public boolean sharesMemory() {
        return true;
    }

    @Override
    public int[] attributes(DeviceProfile seen, int ordinal, int count) {
        return DeviceAttributes.of(seen, ordinal, count);
    }

    @Override
    public String warmUp() {
        return WarmKernel.PTX;
    }
}
