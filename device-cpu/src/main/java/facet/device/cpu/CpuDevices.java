package facet.device.cpu;

import facet.device.Arbiter;
import facet.device.Device;
import facet.device.DeviceFactory;
import facet.device.DeviceProfile;

/** Software GPUs. */
public final class CpuDevices implements DeviceFactory {
    /** The limits of compute capability 8.9, with the given size. */
    @Override
    public DeviceProfile profile(String name, long memory, int seats) {
        return CpuDevice.profile(name, memory, seats);
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
