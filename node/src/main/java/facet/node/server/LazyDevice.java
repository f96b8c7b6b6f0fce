package facet.node.server;

import facet.device.Arbiter;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceFactory;
import facet.device.DeviceProfile;
import facet.device.Memory;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A device that is made when first used: the daemon is ready before a compiler is. */
public final class LazyDevice implements Device {
    private final DeviceFactory kind;
    private final Optional<String> id;
    private final DeviceProfile profile;
    private final int cores;
    private final Optional<Arbiter> arbiter;
    private @Nullable Device device;

    /**
     * @param id of one that is there; workers alone open it
     * @param arbiter who decides whose work is done; empty: it is done as it comes
     */
    public LazyDevice(
            DeviceFactory kind,
            Optional<String> id,
            DeviceProfile profile,
            int cores,
            Optional<Arbiter> arbiter) {
        this.kind = kind;
        this.id = id;
        this.profile = profile;
        this.cores = cores;
        this.arbiter = arbiter;
    }

    /** Makes it now. */
    public synchronized Device open() {
        Device made = device;
        if (made == null) {
            made =
                    arbiter.map(each -> kind.create(profile, cores, each))
                            .orElseGet(() -> kind.create(profile, cores));
            device = made;
        }
        return made;
    }

    @Override
    public Optional<String> id() {
        return id;
    }

    @Override
    public DeviceProfile profile() {
        return profile;
    }

    @Override
    public int[] attributes(DeviceProfile seen, int ordinal, int count) {
        return kind.attributes(seen, ordinal, count);
    }

    @Override
    public boolean sharesMemory() {
        return kind.sharesMemory();
    }

    @Override
    public Memory createMemory(String name, long bytes) {
        return open().createMemory(name, bytes);
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
