package facet.device;

import java.util.List;

/**
 * What programs ask about a kernel; known without compiling it.
 *
 * @param staticShared bytes of a block
 * @param local bytes of a thread
 * @param registers of a thread
 * @param maxThreads of a block
 */
public record KernelInfo(
        String name,
        List<Kernel.Parameter> parameters,
        int parameterBytes,
        int staticShared,
        int local,
        int registers,
        int maxThreads) {}
