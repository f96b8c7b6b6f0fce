package facet.device;

import java.util.Optional;

/** A GPU. */
public interface Device extends AutoCloseable {
    DeviceProfile profile();

    /** By what every process finds it; empty: it is one that was made. */
    default Optional<String> id() {
        return Optional.empty();
    }

    Context createContext(ContextOptions options);

    /** Whether programs can map the memory that it makes ({@link Memory#mapping}). */
    boolean sharesMemory();

    /**
     * Memory for a context, zeroed, of which nothing is taken before it is written.
     *
     * @param name for people who look for it
     * @throws DeviceException {@link DeviceError#OUT_OF_MEMORY} when there are no addresses for so
     *     much
     */
    Memory createMemory(String name, long bytes);

    /** Whether its kernels can access memory of another device of the same process. */
    default boolean reaches(Device other) {
        return true;
    }

    /** Whether it has {@link #createPhysical}, and memory of contexts can be mapped elsewhere. */
    default boolean placesMemory() {
        return false;
    }

    /**
     * Memory that belongs to no context, zeroed. Only where {@link #placesMemory}.
     *
     * @throws DeviceException {@link DeviceError#OUT_OF_MEMORY}
     */
    default PhysicalMemory createPhysical(long bytes) {
        throw new DeviceException(
                DeviceError.NOT_SUPPORTED, "memory of this device is not mapped apart");
    }

    /**
     * The answers to cuDeviceGetAttribute, by its numbers; 0 where there is none.
     *
     * @param seen what the program sees of this device
     * @param ordinal of the device among those that it sees
     * @param count of answers
     */
    int[] attributes(DeviceProfile seen, int ordinal, int count);

    /** Nobody uses it at the moment: what can be made again is let go. */
    default void trim() {}

    /**
     * Work for whoever uses the device that was done elsewhere: memory that was given back to the
     * system, for one. Nobody counts it where nobody shares the device.
     *
     * @param nanos of a processor
     */
    default void bill(long nanos) {}

    /** Stops what runs and releases everything. */
    @Override
    void close();
}
