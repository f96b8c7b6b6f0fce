/* Allocating and freeing. Flags have the driver's numbers. */
#include <string.h>

#include "runtime.h"

enum {
    ELEMENT = 4,     /* bytes that a thread of a pitched allocation accesses at least */
    INVALID_DEVICE = -2 /* cudaInvalidDeviceId */
};

static CUresult allocate(void **pointer, size_t bytes)
{
    CUdeviceptr address = 0;
    /* Nothing is allocated without an error, unlike in the driver. */
    CUresult result = bytes == 0 ? CUDA_SUCCESS : cuMemAlloc_v2(&address, bytes);
    if (result == CUDA_SUCCESS)
        *pointer = (void *)(uintptr_t)address;
    return result;
}

cudaError_t facet_cudaMalloc(void **pointer, size_t bytes)
{
    if (pointer == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? allocate(pointer, bytes) : result);
}

static CUresult allocate_pitched(void **pointer, size_t *pitch, size_t width, size_t height)
{
    CUdeviceptr address = 0;
    *pitch = 0;
    CUresult result = width == 0 || height == 0 ? CUDA_SUCCESS : cuMemAllocPitch_v2(&address, pitch, width, height, ELEMENT);
    if (result == CUDA_SUCCESS)
        *pointer = (void *)(uintptr_t)address;
    return result;
}

cudaError_t facet_cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    if (pointer == NULL || pitch == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? allocate_pitched(pointer, pitch, width, height) : result);
}

cudaError_t facet_cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
    size_t rows;
    if (pointer == NULL || __builtin_mul_overflow(extent.height, extent.depth, &rows))
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = allocate_pitched(&pointer->ptr, &pointer->pitch, extent.width, rows);
    if (result == CUDA_SUCCESS) {
        pointer->xsize = extent.width;
        pointer->ysize = extent.height;
    }
    return facet_finish(result);
}

cudaError_t facet_cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    CUdeviceptr address = 0;
    if (pointer == NULL || bytes == 0)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMemAllocManaged(&address, bytes, flags);
    if (result == CUDA_SUCCESS)
        *pointer = (void *)(uintptr_t)address;
    return facet_finish(result);
}

/* The start of every CUDA program that wants its context early: cudaFree(0). */
cudaError_t facet_cudaFree(void *pointer)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS && pointer != NULL)
        result = cuMemFree_v2((CUdeviceptr)(uintptr_t)pointer);
    return facet_finish(result);
}

cudaError_t facet_cudaHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    if (pointer == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS && bytes == 0)
        *pointer = NULL;
    else if (result == CUDA_SUCCESS)
        result = cuMemHostAlloc(pointer, bytes, flags);
    return facet_finish(result);
}

cudaError_t facet_cudaMallocHost(void **pointer, size_t bytes)
{
    return facet_cudaHostAlloc(pointer, bytes, 0);
}

cudaError_t facet_cudaFreeHost(void *pointer)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS && pointer != NULL)
        result = cuMemFreeHost(pointer);
    return facet_finish(result);
}

cudaError_t facet_cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuMemHostRegister_v2(pointer, bytes, flags) : result);
}

cudaError_t facet_cudaHostUnregister(void *pointer)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuMemHostUnregister(pointer) : result);
}

cudaError_t facet_cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    CUdeviceptr address = 0;
    if (device == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMemHostGetDevicePointer_v2(&address, host, flags);
    *device = (void *)(uintptr_t)address;
    return facet_finish(result);
}

cudaError_t facet_cudaHostGetFlags(unsigned *flags, void *host)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuMemHostGetFlags(flags, host) : result);
}

cudaError_t facet_cudaMemGetInfo(size_t *free, size_t *total)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuMemGetInfo_v2(free, total) : result);
}

static int memory_type(CUmemorytype type, bool managed)
{
    if (managed)
        return cudaMemoryTypeManaged;
    return type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
}

cudaError_t facet_cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    if (attributes == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result != CUDA_SUCCESS)
        return facet_finish(result);
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)pointer;
    unsigned type = 0;
    unsigned managed = 0;
    /* Memory that nobody told CUDA of is no error. What lies behind hostPointer does not exist in 12. */
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = INVALID_DEVICE;
    attributes->devicePointer = NULL;
    attributes->hostPointer = (void *)(uintptr_t)pointer;
    if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS || type == 0)
        return cudaSuccess;
    cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address);
    attributes->type = memory_type((CUmemorytype)type, (managed & 0xff) != 0);
    if (cuPointerGetAttribute(&attributes->device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) != CUDA_SUCCESS)
        attributes->device = 0;
    if (cuPointerGetAttribute(&attributes->devicePointer, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address) != CUDA_SUCCESS)
        attributes->devicePointer = NULL;
    if (attributes->type == cudaMemoryTypeDevice ||
        cuPointerGetAttribute(&attributes->hostPointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, address) != CUDA_SUCCESS)
        attributes->hostPointer = NULL;
    return cudaSuccess;
}
