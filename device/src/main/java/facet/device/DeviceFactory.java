package facet.device;

import java.util.List;
import java.util.Optional;

/** One kind of devices. A main names it; everybody else knows devices by their port. Any thread. */
public interface DeviceFactory {
    /** Which compute capabilities devices of this kind may have: {@code 8.9}. */
    List<String> capabilities();

    /** One of them: what a device has of which nobody said anything. */
    String usualCapability();

    /**
     * What a device of this kind and size is.
     *
     * @param capability one of {@link #capabilities}
     * @param memory in bytes
     * @param seats pieces of work that it does at once
     */
    DeviceProfile profile(String capability, String name, long memory, int seats);

    /** One of the usual compute capability. */
    default DeviceProfile profile(String name, long memory, int seats) {
        return profile(usualCapability(), name, memory, seats);
    }

    /** One that does what comes first. */
    Device create(DeviceProfile profile, int seats);

    /**
     * @param arbiter decides whose work is done next
     */
    Device create(DeviceProfile profile, int seats, Arbiter arbiter);

    /** As {@link Device#sharesMemory}, for one that need not be there. */
    boolean sharesMemory();

    /** As {@link Device#attributes}, for one that need not be there. */
    int[] attributes(DeviceProfile seen, int ordinal, int count);

    /**
     * PTX with a little of everything, to be loaded and run before programs come. Its entry {@code
     * warm} takes an address of floats, one for each thread, and how often it goes over them.
     */
    String warmUp();

    // ---- devices that are there by themselves

    /** What their driver has not answered in this process for longest, but waits for work. */
    default Optional<Stall> stall() {
        return Optional.empty();
    }

    /** Those of the machine; empty: as many as wanted are made, of whatever size. */
    default List<FoundDevice> found() {
        return List.of();
    }

    /**
     * Whether this machine's processors do the work, in the process that has the device. Else work
     * goes on to its end when it has begun, a fault of it takes the process along, and so nobody
     * has one in a process that is to stay.
     */
    default boolean isSoftware() {
        return true;
    }

    /**
     * Some of those that are there, for this process: once, and no others afterwards.
     *
     * @param ids as they were found
     * @param multiprocessors that programs may use of each; 0: all
     * @param arbiters one for each; empty: nobody else uses them
     */
    default List<Device> open(List<String> ids, int multiprocessors, List<Arbiter> arbiters) {
        throw new DeviceException(DeviceError.INVALID_VALUE, "no devices " + ids + " of this kind");
    }
}
