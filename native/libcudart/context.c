/* What concerns the current context as a whole. Limits and cache configurations have the driver's numbers. */
#include "runtime.h"

cudaError_t facet_cudaDeviceSynchronize(void)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuCtxSynchronize() : result);
}

cudaError_t facet_cudaDeviceReset(void)
{
    return facet_latch(facet_context_reset());
}

cudaError_t facet_cudaDeviceGetLimit(size_t *value, int limit)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuCtxGetLimit(value, limit) : result);
}

cudaError_t facet_cudaDeviceSetLimit(int limit, size_t value)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuCtxSetLimit(limit, value) : result);
}

cudaError_t facet_cudaDeviceGetCacheConfig(int *config)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuCtxGetCacheConfig((void *)config) : result);
}

cudaError_t facet_cudaDeviceSetCacheConfig(int config)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuCtxSetCacheConfig(config) : result);
}

cudaError_t facet_cudaDeviceGetSharedMemConfig(int *config)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuCtxGetSharedMemConfig((void *)config) : result);
}

cudaError_t facet_cudaDeviceSetSharedMemConfig(int config)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuCtxSetSharedMemConfig(config) : result);
}

cudaError_t facet_cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuCtxGetStreamPriorityRange(least, greatest) : result);
}

cudaError_t facet_cudaCtxResetPersistingL2Cache(void)
{
    return facet_finish(facet_context_need());
}

cudaError_t facet_cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope)
{
    (void)target;
    (void)scope;
    return facet_latch(cudaErrorNotSupported);
}
