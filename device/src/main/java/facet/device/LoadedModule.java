package facet.device;

import java.util.List;
import java.util.Map;

/** A module in a context. */
public interface LoadedModule extends AutoCloseable {
    /** Throws {@link DeviceError#NOT_FOUND}. */
    Kernel kernel(String name);

    /** A {@code .global} or {@code .const} variable. Throws {@link DeviceError#NOT_FOUND}. */
    Variable variable(String name);

    /** What can be launched, in the order of the text. */
    List<KernelInfo> kernels();

    /** Variables by name, in the order of the text. */
    Map<String, Variable> variables();

    /**
     * A module variable.
     *
     * @param managed whether the host is to see it at the same address
     */
    record Variable(long address, long bytes, boolean managed) {}

    @Override
    void close();
}
