/* Advice about managed memory. Advices and attributes have the driver's numbers. */
#include "runtime.h"

static CUmemLocation driver_location(struct cudaMemLocation location)
{
    return (CUmemLocation){.type = location.type, .id = location.id};
}

/* Until 12 a number said where: that of a device, or -1 for the host. */
static struct cudaMemLocation location_of(int device)
{
    return device < 0 ? (struct cudaMemLocation){CU_MEM_LOCATION_TYPE_HOST, 0} : (struct cudaMemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
}

cudaError_t facet_cudaMemAdvise_13(const void *pointer, size_t bytes, int advice, struct cudaMemLocation location)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMemAdvise_v2((CUdeviceptr)(uintptr_t)pointer, bytes, advice, driver_location(location));
    return facet_finish(result);
}

cudaError_t facet_cudaMemAdvise_12(const void *pointer, size_t bytes, int advice, int device)
{
    return facet_cudaMemAdvise_13(pointer, bytes, advice, location_of(device));
}

cudaError_t facet_cudaMemPrefetchAsync_13(bool per_thread, const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags,
                                          cudaStream_t stream)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMemPrefetchAsync_v2((CUdeviceptr)(uintptr_t)pointer, bytes, driver_location(location), flags, facet_stream(per_thread, stream));
    return facet_finish(result);
}

cudaError_t facet_cudaMemPrefetchAsync_12(bool per_thread, const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
    return facet_cudaMemPrefetchAsync_13(per_thread, pointer, bytes, location_of(device), 0, stream);
}

_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "locations are handed on as they are");
_Static_assert(sizeof(void *) == sizeof(CUdeviceptr), "pointers are handed on as they are");

cudaError_t facet_cudaMemPrefetchBatchAsync(bool per_thread, void **pointers, size_t *sizes, size_t count, struct cudaMemLocation *locations,
                                            size_t *location_indices, size_t location_count, unsigned long long flags, cudaStream_t stream)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMemPrefetchBatchAsync((CUdeviceptr *)(void *)pointers, sizes, count, (CUmemLocation *)(void *)locations, location_indices,
                                         location_count, flags, facet_stream(per_thread, stream));
    return facet_finish(result);
}

cudaError_t facet_cudaMemDiscardBatchAsync(bool per_thread, void **pointers, size_t *sizes, size_t count, unsigned long long flags,
                                           cudaStream_t stream)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMemDiscardBatchAsync((CUdeviceptr *)(void *)pointers, sizes, count, flags, facet_stream(per_thread, stream));
    return facet_finish(result);
}

cudaError_t facet_cudaMemDiscardAndPrefetchBatchAsync(bool per_thread, void **pointers, size_t *sizes, size_t count,
                                                      struct cudaMemLocation *locations, size_t *location_indices, size_t location_count,
                                                      unsigned long long flags, cudaStream_t stream)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMemDiscardAndPrefetchBatchAsync((CUdeviceptr *)(void *)pointers, sizes, count, (CUmemLocation *)(void *)locations,
                                                   location_indices, location_count, flags, facet_stream(per_thread, stream));
    return facet_finish(result);
}

cudaError_t facet_cudaMemRangeGetAttribute(void *data, size_t data_bytes, int attribute, const void *pointer, size_t bytes)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMemRangeGetAttribute(data, data_bytes, attribute, (CUdeviceptr)(uintptr_t)pointer, bytes);
    return facet_finish(result);
}

cudaError_t facet_cudaMemRangeGetAttributes(void **data, size_t *data_bytes, int *attributes, size_t attribute_count, const void *pointer,
                                            size_t bytes)
{
    if (data == NULL || data_bytes == NULL || attributes == NULL || attribute_count == 0)
        return facet_latch(cudaErrorInvalidValue);
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < attribute_count && error == cudaSuccess; i++)
        error = facet_cudaMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], pointer, bytes);
    return error;
}

cudaError_t facet_cudaStreamAttachMemAsync(bool per_thread, cudaStream_t stream, void *pointer, size_t bytes, unsigned flags)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuStreamAttachMemAsync(facet_stream(per_thread, stream), (CUdeviceptr)(uintptr_t)pointer, bytes, flags);
    return facet_finish(result);
}
