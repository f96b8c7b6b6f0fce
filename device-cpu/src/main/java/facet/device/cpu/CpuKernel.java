package facet.device.cpu;

import facet.device.Kernel;
import facet.jit.CompiledKernel;
import java.util.List;

/**
 * A kernel in a context.
 *
 * @param symbols addresses of the module variables it names
 * @param pace how long its launches take
 * @param nested kernels that it may launch
 */
record CpuKernel(
        CpuContext context,
        CompiledKernel compiled,
        long[] symbols,
        BlockLimits limits,
        ClusterLimits clusters,
        Pace pace,
        NestedKernels nested)
        implements Kernel {
    @Override
    public String name() {
        return compiled.name();
    }

    @Override
    public List<Parameter> parameters() {
        return compiled.parameters().stream()
                .map(each -> new Parameter(each.offset(), each.bytes(), each.alignment()))
                .toList();
    }

    @Override
    public int parameterBytes() {
        return compiled.parameterBytes();
    }

    @Override
    public int staticShared() {
        return compiled.sharedBytes();
    }

    @Override
    public int local() {
        return compiled.localBytes();
    }
}
