package facet.device.nvidia;

import facet.device.AddressSpace;
import facet.device.Arbiter;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.DeviceProfile;
import facet.device.Memory;
import facet.device.PhysicalMemory;
import facet.device.nvidia.foreign.Driver;
import facet.device.nvidia.foreign.DriverCode;
import facet.device.nvidia.foreign.DriverMemory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A GPU behind its vendor's driver, in the process that has the driver. */
final class NvidiaDevice implements Device {
    private final Driver driver;
    private final DriverMemory memory;
    private final DriverCode code;
    private final int handle;
    private final long granule;
    private final List<Integer> attributes;
    private final DeviceProfile profile;
    private final Turns turns;
    private final ExecutorService threads;
    private final Printing printing;
    private final Set<NvidiaContext> contexts = ConcurrentHashMap.newKeySet();
    private volatile @Nullable DeviceException poison;
    private volatile List<NvidiaDevice> neighbours = List.of();

    /**
     * @param multiprocessors that programs may use; 0: all
     * @param arbiter null: nobody else shares it
     */
    NvidiaDevice(
            Driver driver,
            int handle,
            int multiprocessors,
            @Nullable Arbiter arbiter,
            ExecutorService threads,
            Printing printing) {
        this.driver = driver;
        this.handle = handle;
        this.threads = threads;
        this.printing = printing;
        memory = new DriverMemory(driver);
        code = new DriverCode(driver);
        granule = memory.granule(handle);
        attributes =
                IntStream.range(0, Attribute.COUNT)
                        .map(each -> each == 0 ? 0 : driver.attribute(handle, each))
                        .boxed()
                        .toList();
        profile =
                Attribute.profile(driver.name(handle), driver.memory(handle), attributes)
                        .confinedTo(multiprocessors);
        turns = new Turns(arbiter);
    }

    Driver driver() {
        return driver;
    }

    DriverMemory memory() {
        return memory;
    }

    DriverCode code() {
        return code;
    }

    int handle() {
        return handle;
    }

    /** Sizes and places of what is mapped are multiples of that. */
    long granule() {
        return granule;
    }

    int attribute(Attribute which) {
        return which.of(attributes);
    }

    Turns turns() {
        return turns;
    }

    /** Those that give work to the driver and wait for it. */
    ExecutorService threads() {
        return threads;
    }

    Printing printing() {
        return printing;
    }

    @Override
    public DeviceProfile profile() {
        return profile;
    }

    @Override
    public boolean sharesMemory() {
        return false;
    }

    @Override
    public Memory createMemory(String name, long bytes) {
        return new NvidiaMemory(this, bytes);
    }

    @Override
    public boolean placesMemory() {
        return attribute(Attribute.VIRTUAL_MEMORY) != 0;
    }

    @Override
    public PhysicalMemory createPhysical(long bytes) {
        return NvidiaPhysical.of(this, bytes);
    }

    @Override
    public boolean reaches(Device other) {
        return other instanceof NvidiaDevice peer
                && (peer.handle == handle || driver.canAccessPeer(handle, peer.handle));
    }

    /** Fills memory that is mapped with zeros, in whichever context there is. */
    void clear(long address, long bytes) {
        for (NvidiaContext each : contexts) {
            if (!each.isLost()) {
                each.clear(address, bytes);
                return;
            }
        }
        long context = driver.createContext(handle);
        try {
            driver.use(context);
            memory.fill(address, 0, 1, bytes, 0);
            driver.synchronize();
        } finally {
            int _ = driver.destroyContext(context);
        }
    }

    /** The context whose memory an address is in; null: none of this device. */
    @Nullable NvidiaContext contextOf(long address) {
        return contexts.stream().filter(each -> each.has(address)).findFirst().orElse(null);
    }

    /** All that this process has open, this one too. */
    void neighbours(List<NvidiaDevice> all) {
        neighbours = List.copyOf(all);
    }

    List<NvidiaDevice> neighbours() {
        return neighbours;
    }

    @Override
    public Context createContext(ContextOptions options) {
        DeviceException broken = poison;
        if (broken != null) {
            throw new DeviceException(
                    broken.error(),
                    "a kernel before has left the vendor's driver useless in this process: "
                            + broken.getMessage());
        }
        AddressSpace space = options.space();
        if (space == null || !(space.memory() instanceof NvidiaMemory lent)) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE, "a context here needs memory of this device");
        }
        NvidiaContext made = NvidiaContext.open(this, options, space, lent);
        contexts.add(made);
        return made;
    }

    void forget(NvidiaContext context) {
        contexts.remove(context);
    }

    /** The driver says so once and for all: whatever this process has on the device is lost. */
    void poisoned(DeviceException why) {
        if (poison == null) {
            poison = why;
        }
        contexts.forEach(each -> each.lost(why));
    }

    @Override
    public int[] attributes(DeviceProfile seen, int ordinal, int count) {
        return Attribute.shown(seen, attributes, count);
    }

    @Override
    public void close() {
        List.copyOf(contexts).forEach(NvidiaContext::close);
    }
}
