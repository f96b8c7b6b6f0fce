package facet.device.cpu;

import facet.device.KernelInfo;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of a module that other kernels of it may launch: those whose addresses are in the
 * text. Any other address is refused, whatever a kernel makes up.
 */
final class NestedKernels {
    static final NestedKernels NONE = new NestedKernels(Map.of());

    /** A kernel, and what may be asked about it. */
    record Entry(CpuKernel kernel, KernelInfo info) {}

    private final Map<Long, Entry> byAddress;

    /**
     * @param byAddress is filled before the first launch
     */
    NestedKernels(Map<Long, Entry> byAddress) {
        this.byAddress = byAddress;
    }

    @Nullable Entry find(long address) {
        return byAddress.get(address);
    }
}
