package facet.node.server;

import facet.device.Capabilities;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceProfile;
import facet.device.cpu.CpuDevice;
import org.jspecify.annotations.Nullable;

/** A software GPU that is made when first used: the daemon is ready before its compiler is. */
public final class LazyDevice implements Device {
    private final DeviceProfile profile;
    private final int cores;
    private @Nullable Device device;

    public LazyDevice(DeviceProfile profile, int cores) {
        this.profile = profile;
        this.cores = cores;
    }

    /** Makes it now. */
    public synchronized Device open() {
        Device made = device;
        if (made == null) {
            made = CpuDevice.create(profile, cores);
            device = made;
        }
        return made;
    }

    @Override
    public DeviceProfile profile() {
        return profile;
    }

    @Override
    public Capabilities capabilities() {
        return open().capabilities();
    }

    @Override
    public Context createContext(ContextOptions options) {
        return open().createContext(options);
    }

    @Override
    public synchronized void close() {
        if (device != null) {
            device.close();
            device = null;
        }
    }
}
