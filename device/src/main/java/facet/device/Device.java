package facet.device;

/** A GPU. */
public interface Device extends AutoCloseable {
    DeviceProfile profile();

    Context createContext(ContextOptions options);

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
