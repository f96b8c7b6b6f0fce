package facet.device.cpu;

import facet.device.Arbiter;
import facet.device.Device;
import facet.device.DeviceFactory;
import facet.device.DeviceProfile;
import java.util.List;
import java.util.function.Supplier;

/** Software GPUs. */
public final class CpuDevices implements DeviceFactory {
    private final Supplier<ModuleCaches> code;

    /** Each with code of its own. */
    public CpuDevices() {
        this(ModuleCaches::new);
    }

    private CpuDevices(Supplier<ModuleCaches> code) {
        this.code = code;
    }

    /**
     * Each finds the code of all others, also of those that were closed: for a process that serves
     * nobody but those who may know of each other's code.
     */
    public static CpuDevices withCommonCode() {
        ModuleCaches all = ModuleCaches.common();
        return new CpuDevices(() -> all);
    }

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
        return CpuDevice.create(profile, seats, new FirstCome(), code.get());
    }

    @Override
    public Device create(DeviceProfile profile, int seats, Arbiter arbiter) {
        return CpuDevice.create(profile, seats, arbiter, code.get());
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
