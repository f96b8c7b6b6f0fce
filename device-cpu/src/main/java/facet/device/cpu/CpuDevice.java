package facet.device.cpu;

import facet.device.Arbiter;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.DeviceProfile;
import facet.device.Memory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The software GPU. */
public final class CpuDevice implements Device {
    private final DeviceProfile profile;
    private final Arbiter arbiter;
    private final Seats seats;
    private final ModuleCaches modules;
    private final SetAside setAside;
    private final Set<CpuContext> contexts = ConcurrentHashMap.newKeySet();
    private final AtomicLong launches = new AtomicLong();
    private volatile int @Nullable [] ownAttributes;
    private volatile boolean closed;

    private CpuDevice(
            DeviceProfile profile,
            int cores,
            Arbiter arbiter,
            ModuleCaches modules,
            SetAside setAside) {
        this.profile = profile;
        this.arbiter = arbiter;
        this.modules = modules;
        this.setAside = setAside;
        this.seats = new Seats("facet", cores, arbiter);
    }

    /** The limits of the usual compute capability, with the given size. */
    public static DeviceProfile profile(String name, long memory, int multiprocessors) {
        return Capability.USUAL.profile(name, memory, multiprocessors);
    }

    /** A device that suits this machine: all its cores, half its memory. */
    public static CpuDevice create() {
        int cores = Runtime.getRuntime().availableProcessors();
        return create(profile("Facet Software GPU", halfOfMemory(), cores), cores);
    }

    /** One that does what comes first. */
    public static CpuDevice create(DeviceProfile profile, int cores) {
        return create(profile, cores, new FirstCome());
    }

    /**
     * @param cores also the number of its seats
     * @param arbiter decides whose work is done next
     */
    public static CpuDevice create(DeviceProfile profile, int cores, Arbiter arbiter) {
        return create(profile, cores, arbiter, new ModuleCaches());
    }

    /**
     * @param modules code that is there already, and stays when the device has gone
     */
    static CpuDevice create(
            DeviceProfile profile, int cores, Arbiter arbiter, ModuleCaches modules) {
        WarmUp.begin();
        return new CpuDevice(profile, cores, arbiter, modules, SetAside.ofProcess());
    }

    /** One that has a bound of its own for blocks that wait. */
    static CpuDevice create(DeviceProfile profile, int cores, SetAside setAside) {
        return new CpuDevice(profile, cores, new FirstCome(), new ModuleCaches(), setAside);
    }

    SetAside setAside() {
        return setAside;
    }

    @Override
    public int[] attributes(DeviceProfile seen, int ordinal, int count) {
        return DeviceAttributes.of(seen, ordinal, count);
    }

    /** As kernels see them, by number. */
    int[] ownAttributes() {
        int[] known = ownAttributes;
        if (known == null) {
            known = DeviceAttributes.of(profile, 0, NestedQueries.ATTRIBUTES);
            ownAttributes = known;
        }
        return known;
    }

    @Override
    public void trim() {
        modules.clear();
    }

    private static long halfOfMemory() {
        if (java.lang.management.ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system) {
            return system.getTotalMemorySize() / 2 >> 21 << 21;
        }
        return 4L << 30;
    }

    @Override
    public DeviceProfile profile() {
        return profile;
    }

    @Override
    public Context createContext(ContextOptions options) {
        if (closed) {
            throw new DeviceException(DeviceError.DEINITIALIZED, "the device is closed");
        }
        if (options.memory() <= 0 || options.memory() > profile.memory()) {
            throw new DeviceException(
                    DeviceError.OUT_OF_MEMORY,
                    "a context of "
                            + options.memory()
                            + " bytes on a device of "
                            + profile.memory());
        }
        CpuContext context = new CpuContext(this, options);
        contexts.add(context);
        return context;
    }

    @Override
    public boolean sharesMemory() {
        return true;
    }

    @Override
    public Memory createMemory(String name, long bytes) {
        return CpuMemory.create(name, bytes);
    }

    Arbiter arbiter() {
        return arbiter;
    }

    Seats seats() {
        return seats;
    }

    ModuleCaches modules() {
        return modules;
    }

    long nextLaunch() {
        return launches.incrementAndGet();
    }

    void forget(CpuContext context) {
        contexts.remove(context);
    }

    @Override
    public void close() {
        closed = true;
        contexts.forEach(CpuContext::close);
        seats.close();
    }
}
