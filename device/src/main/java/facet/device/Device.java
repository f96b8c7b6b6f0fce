package facet.device;

/** A GPU. */
public interface Device extends AutoCloseable {
    DeviceProfile profile();

    Capabilities capabilities();

    Context createContext(ContextOptions options);

    /** Stops what runs and releases everything. */
    @Override
    void close();
}
