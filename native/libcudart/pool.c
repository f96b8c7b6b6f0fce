/* Memory in stream order, and the pools that it comes from. Attributes have the driver's numbers. */
#include "runtime.h"

_Static_assert(sizeof(struct cudaMemPoolProps) == sizeof(CUmemPoolProps), "properties are handed on as they are");
_Static_assert(sizeof(struct cudaMemAccessDesc) == sizeof(CUmemAccessDesc), "descriptions are handed on as they are");
_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "locations are handed on as they are");

cudaError_t facet_cudaMallocAsync(bool per_thread, void **pointer, size_t bytes, cudaStream_t stream)
{
    CUdeviceptr address = 0;
    if (pointer == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS && bytes != 0)
        result = cuMemAllocAsync(&address, bytes, facet_stream(per_thread, stream));
    if (result == CUDA_SUCCESS)
        *pointer = (void *)(uintptr_t)address;
    return facet_finish(result);
}

cudaError_t facet_cudaMallocFromPoolAsync(bool per_thread, void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    CUdeviceptr address = 0;
    if (pointer == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS && bytes != 0)
        result = cuMemAllocFromPoolAsync(&address, bytes, pool, facet_stream(per_thread, stream));
    if (result == CUDA_SUCCESS)
        *pointer = (void *)(uintptr_t)address;
    return facet_finish(result);
}

cudaError_t facet_cudaFreeAsync(bool per_thread, void *pointer, cudaStream_t stream)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS && pointer != NULL)
        result = cuMemFreeAsync((CUdeviceptr)(uintptr_t)pointer, facet_stream(per_thread, stream));
    return facet_finish(result);
}

cudaError_t facet_cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    CUdevice handle;
    cudaError_t error = facet_device_handle(device, &handle);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuDeviceGetDefaultMemPool(pool, handle));
}

cudaError_t facet_cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    CUdevice handle;
    cudaError_t error = facet_device_handle(device, &handle);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuDeviceGetMemPool(pool, handle));
}

cudaError_t facet_cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    CUdevice handle;
    cudaError_t error = facet_device_handle(device, &handle);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuDeviceSetMemPool(handle, pool));
}

cudaError_t facet_cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuMemPoolCreate(pool, (const CUmemPoolProps *)(const void *)properties) : result);
}

cudaError_t facet_cudaMemPoolDestroy(cudaMemPool_t pool)
{
    return facet_finish(cuMemPoolDestroy(pool));
}

cudaError_t facet_cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    return facet_finish(cuMemPoolTrimTo(pool, keep));
}

cudaError_t facet_cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void *value)
{
    return facet_finish(cuMemPoolGetAttribute(pool, attribute, value));
}

cudaError_t facet_cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void *value)
{
    return facet_finish(cuMemPoolSetAttribute(pool, attribute, value));
}

cudaError_t facet_cudaMemPoolGetAccess(int *flags, cudaMemPool_t pool, struct cudaMemLocation *location)
{
    return facet_finish(cuMemPoolGetAccess((void *)flags, pool, (CUmemLocation *)(void *)location));
}

cudaError_t facet_cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *descriptions, size_t count)
{
    return facet_finish(cuMemPoolSetAccess(pool, (const CUmemAccessDesc *)(const void *)descriptions, count));
}

cudaError_t facet_cudaMemPoolExportToShareableHandle(void *shareable, cudaMemPool_t pool, int type, unsigned flags)
{
    return facet_finish(cuMemPoolExportToShareableHandle(shareable, pool, (CUmemAllocationHandleType)type, flags));
}

cudaError_t facet_cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *shareable, int type, unsigned flags)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuMemPoolImportFromShareableHandle(pool, shareable, (CUmemAllocationHandleType)type, flags)
                                               : result);
}

cudaError_t facet_cudaMemPoolExportPointer(void *data, void *pointer)
{
    return facet_finish(cuMemPoolExportPointer(data, (CUdeviceptr)(uintptr_t)pointer));
}

cudaError_t facet_cudaMemPoolImportPointer(void **pointer, cudaMemPool_t pool, void *data)
{
    CUdeviceptr address = 0;
    if (pointer == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMemPoolImportPointer(&address, pool, data);
    if (result == CUDA_SUCCESS)
        *pointer = (void *)(uintptr_t)address;
    return facet_finish(result);
}

/* Of the places that memory may lie in, only devices have pools here, of memory of their own. */
static cudaError_t check(const struct cudaMemLocation *location, int type)
{
    if (location == NULL)
        return cudaErrorInvalidValue;
    bool device = location->type == CU_MEM_LOCATION_TYPE_DEVICE && type == CU_MEM_ALLOCATION_TYPE_PINNED;
    return device ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t facet_cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location, int type)
{
    cudaError_t error = check(location, type);
    return error == cudaSuccess ? facet_cudaDeviceGetDefaultMemPool(pool, location->id) : facet_latch(error);
}

cudaError_t facet_cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location, int type)
{
    cudaError_t error = check(location, type);
    return error == cudaSuccess ? facet_cudaDeviceGetMemPool(pool, location->id) : facet_latch(error);
}

cudaError_t facet_cudaMemSetMemPool(struct cudaMemLocation *location, int type, cudaMemPool_t pool)
{
    cudaError_t error = check(location, type);
    return error == cudaSuccess ? facet_cudaDeviceSetMemPool(location->id, pool) : facet_latch(error);
}
