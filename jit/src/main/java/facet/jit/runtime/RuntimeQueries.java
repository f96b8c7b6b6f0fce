package facet.jit.runtime;

import org.jspecify.annotations.Nullable;

/** What kernels ask about the device and about kernels; errors are negative numbers. */
public interface RuntimeQueries {
    /** What the host's cudaDeviceGetAttribute answers. */
    long attribute(int attribute);

    /** Of {@code cudaLimit}. */
    long limit(int limit);

    /** Of a kernel: bytes, threads, registers. */
    record FunctionAttributes(
            long sharedBytes,
            long constantBytes,
            long localBytes,
            int mostThreads,
            int registers,
            int mostDynamic) {}

    /** Null when it is no kernel that may be launched. */
    @Nullable FunctionAttributes attributes(long function);

    /** Blocks that fit on a multiprocessor. */
    long occupancy(long function, int threads, long dynamicShared);
}
