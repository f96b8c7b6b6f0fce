package facet.host.residency;

import facet.device.Device;
import facet.device.Memory;
import facet.device.cpu.CpuDevice;

/** Memory of a device that does nothing else. */
final class DeviceMemory {
    private static final Device DEVICE = CpuDevice.create();

    private DeviceMemory() {}

    static Memory of(long bytes) {
        return DEVICE.createMemory("test", bytes);
    }
}
