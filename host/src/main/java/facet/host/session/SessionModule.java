package facet.host.session;

import facet.device.Kernel;
import facet.device.KernelInfo;
import facet.device.LoadedModule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A module of a client; its kernels have numbers, and are compiled when first launched. */
final class SessionModule {
    private final LoadedModule device;
    private final List<KernelInfo> kernels;
    private final @Nullable Kernel[] compiled;
    private final long taken;
    private final List<String> texts;

    /**
     * @param taken bytes of device memory for its variables
     * @param texts that it was made of
     */
    SessionModule(LoadedModule device, long taken, List<String> texts) {
        this.device = device;
        this.taken = taken;
        this.texts = texts;
        kernels = device.kernels();
        compiled = new Kernel[kernels.size()];
    }

    LoadedModule device() {
        return device;
    }

    List<String> texts() {
        return texts;
    }

    long taken() {
        return taken;
    }

    KernelInfo info(int function) {
        if (function < 0 || function >= kernels.size()) {
            throw new ProtocolViolation(
                    "function " + function + " of a module that has " + kernels.size());
        }
        return kernels.get(function);
    }

    Kernel kernel(int function) {
        KernelInfo info = info(function);
        Kernel kernel = compiled[function];
        if (kernel == null) {
            kernel = device.kernel(info.name());
            compiled[function] = kernel;
        }
        return kernel;
    }
}
