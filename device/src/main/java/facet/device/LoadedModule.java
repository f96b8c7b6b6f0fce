package facet.device;

/** A module in a context. */
public interface LoadedModule extends AutoCloseable {
    /** Throws {@link DeviceError#NOT_FOUND}. */
    Kernel kernel(String name);

    /** A {@code .global} or {@code .const} variable. Throws {@link DeviceError#NOT_FOUND}. */
    Variable variable(String name);

    /** Address and size of a module variable. */
    record Variable(long address, long bytes) {}

    @Override
    void close();
}
