/* Kernels: their attributes, and how many blocks of them fit. */
#include <string.h>

#include "runtime.h"

cudaError_t facet_cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol)
{
    return facet_latch(function == NULL ? cudaErrorInvalidValue : facet_bind_kernel(symbol, function));
}

static CUresult attribute(CUfunction function, int number, int *value, CUresult before)
{
    return before == CUDA_SUCCESS ? cuFuncGetAttribute(value, number, function) : before;
}

static CUresult attribute_bytes(CUfunction function, int number, size_t *value, CUresult before)
{
    int small = 0;
    CUresult result = attribute(function, number, &small, before);
    *value = (size_t)small;
    return result;
}

cudaError_t facet_cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    CUfunction handle;
    if (attributes == NULL)
        return facet_latch(cudaErrorInvalidValue);
    cudaError_t error = facet_bind_kernel(function, &handle);
    if (error != cudaSuccess)
        return facet_latch(error);
    memset(attributes, 0, sizeof *attributes);
    CUresult result = CUDA_SUCCESS;
    result = attribute_bytes(handle, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &attributes->sharedSizeBytes, result);
    result = attribute_bytes(handle, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &attributes->constSizeBytes, result);
    result = attribute_bytes(handle, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &attributes->localSizeBytes, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &attributes->maxThreadsPerBlock, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_NUM_REGS, &attributes->numRegs, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_PTX_VERSION, &attributes->ptxVersion, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_BINARY_VERSION, &attributes->binaryVersion, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, &attributes->cacheModeCA, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &attributes->maxDynamicSharedSizeBytes, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, &attributes->preferredShmemCarveout, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, &attributes->clusterDimMustBeSet, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, &attributes->requiredClusterWidth, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, &attributes->requiredClusterHeight, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, &attributes->requiredClusterDepth, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, &attributes->clusterSchedulingPolicyPreference, result);
    result = attribute(handle, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, &attributes->nonPortableClusterSizeAllowed, result);
    return facet_finish(result);
}

/* Numbers of attributes are those of the driver. */
cudaError_t facet_cudaFuncSetAttribute(const void *function, int attribute, int value)
{
    CUfunction handle;
    cudaError_t error = facet_bind_kernel(function, &handle);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuFuncSetAttribute(handle, attribute, value));
}

cudaError_t facet_cudaKernelSetAttributeForDevice(cudaKernel_t kernel, int attribute, int value, int device)
{
    CUcontext before;
    CUfunction handle;
    cudaError_t error = facet_context_enter(device, &before);
    if (error != cudaSuccess)
        return facet_latch(error);
    error = facet_bind_kernel(kernel, &handle);
    if (error == cudaSuccess)
        error = facet_error(cuFuncSetAttribute(handle, attribute, value));
    facet_context_leave(before);
    return facet_latch(error);
}

cudaError_t facet_cudaFuncSetCacheConfig(const void *function, int config)
{
    CUfunction handle;
    cudaError_t error = facet_bind_kernel(function, &handle);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuFuncSetCacheConfig(handle, config));
}

/* Sizes of banks were last chosen by devices of long ago: as with those of today, it is heard and has no effect. */
cudaError_t facet_cudaFuncSetSharedMemConfig(const void *function, int config)
{
    CUfunction handle;
    if (config < 0 || config > 2)
        return facet_latch(cudaErrorInvalidValue);
    return facet_latch(facet_bind_kernel(function, &handle));
}

cudaError_t facet_cudaFuncGetName(const char **name, const void *function)
{
    if (name == NULL)
        return facet_latch(cudaErrorInvalidValue);
    struct facet_symbol *symbol = facet_registry_find(function);
    if (symbol == NULL || symbol->kind != FACET_KERNEL)
        return facet_latch(cudaErrorInvalidDeviceFunction);
    if (symbol->name != NULL) {
        *name = symbol->name;
        return cudaSuccess;
    }
    CUfunction handle;
    cudaError_t error = facet_bind_kernel(function, &handle);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuFuncGetName(name, handle));
}

cudaError_t facet_cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes)
{
    CUfunction handle;
    cudaError_t error = facet_bind_kernel(function, &handle);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuFuncGetParamInfo(handle, index, offset, bytes));
}

cudaError_t facet_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int block_size, size_t shared,
                                                                         unsigned flags)
{
    CUfunction handle;
    if (blocks == NULL)
        return facet_latch(cudaErrorInvalidValue);
    cudaError_t error = facet_bind_kernel(function, &handle);
    if (error != cudaSuccess)
        return facet_latch(error);
    return facet_finish(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, handle, block_size, shared, flags));
}

cudaError_t facet_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block_size, size_t shared)
{
    return facet_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared, 0);
}

cudaError_t facet_cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks, int block_size)
{
    CUfunction handle;
    if (bytes == NULL)
        return facet_latch(cudaErrorInvalidValue);
    cudaError_t error = facet_bind_kernel(function, &handle);
    if (error != cudaSuccess)
        return facet_latch(error);
    return facet_finish(cuOccupancyAvailableDynamicSMemPerBlock(bytes, handle, blocks, block_size));
}
