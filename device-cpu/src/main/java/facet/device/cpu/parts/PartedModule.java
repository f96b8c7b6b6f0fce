package facet.device.cpu.parts;

import facet.device.Kernel;
import facet.device.KernelInfo;
import facet.device.LoadedModule;
import facet.ptx.rewrite.Rewritten;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A module whose kernels look as they did before. */
record PartedModule(LoadedModule near, Rewritten rewritten) implements LoadedModule {

    @Override
    public Kernel kernel(String name) {
        Kernel kernel = near.kernel(name);
        Rewritten.@Nullable Kernel form = rewritten.kernel(name).orElse(null);
        return form == null ? kernel : new PartedKernel(kernel, form);
    }

    @Override
    public Variable variable(String name) {
        return near.variable(name);
    }

    @Override
    public List<KernelInfo> kernels() {
        return near.kernels();
    }

    @Override
    public Map<String, Variable> variables() {
        return near.variables();
    }

    @Override
    public void close() {
        near.close();
    }
}
