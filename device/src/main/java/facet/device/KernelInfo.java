package facet.device;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What programs ask about a kernel; known without compiling it.
 *
 * @param staticShared bytes of a block
 * @param constant bytes of the module's constants that it names
 * @param local bytes of a thread
 * @param registers of a thread
 * @param maxThreads of a block
 * @param cluster that every launch of it has; null: what the launch says
 */
public record KernelInfo(
        String name,
        List<Kernel.Parameter> parameters,
        int parameterBytes,
        int staticShared,
        int constant,
        int local,
        int registers,
        int maxThreads,
        Launch.@Nullable Dim cluster) {}
