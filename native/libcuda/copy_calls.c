/* Copies of one row. */
#include "copy.h"
#include "memory.h"

static uint64_t number(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static CUresult line(uint64_t destination, uint64_t source, size_t bytes, bool per_thread, CUstream stream, bool asynchronous)
{
    if (bytes != 0 && (destination == 0 || source == 0))
        return CUDA_ERROR_INVALID_VALUE;
    return facet_copy(facet_line(destination, source, bytes), per_thread, stream, asynchronous);
}

/* An address that a call declares to be the device's. */
static bool device(CUdeviceptr address, size_t bytes)
{
    struct facet_allocation found;
    return bytes == 0 || facet_context_of_address(address) != NULL || facet_memory_find(address, &found);
}

CUresult facet_cuMemcpy(bool per_thread, CUdeviceptr destination, CUdeviceptr source, size_t bytes)
{
    return line(destination, source, bytes, per_thread, NULL, false);
}

CUresult facet_cuMemcpyAsync(bool per_thread, CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return line(destination, source, bytes, per_thread, stream, true);
}

static CUresult to_device(bool per_thread, CUdeviceptr destination, const void *source, size_t bytes, CUstream stream, bool asynchronous)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    return device(destination, bytes) ? line(destination, number(source), bytes, per_thread, stream, asynchronous) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuMemcpyHtoD_v2(bool per_thread, CUdeviceptr destination, const void *source, size_t bytes)
{
    return to_device(per_thread, destination, source, bytes, NULL, false);
}

CUresult facet_cuMemcpyHtoDAsync_v2(bool per_thread, CUdeviceptr destination, const void *source, size_t bytes, CUstream stream)
{
    return to_device(per_thread, destination, source, bytes, stream, true);
}

static CUresult from_device(bool per_thread, void *destination, CUdeviceptr source, size_t bytes, CUstream stream, bool asynchronous)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    return device(source, bytes) ? line(number(destination), source, bytes, per_thread, stream, asynchronous) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuMemcpyDtoH_v2(bool per_thread, void *destination, CUdeviceptr source, size_t bytes)
{
    return from_device(per_thread, destination, source, bytes, NULL, false);
}

CUresult facet_cuMemcpyDtoHAsync_v2(bool per_thread, void *destination, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return from_device(per_thread, destination, source, bytes, stream, true);
}

static CUresult between(bool per_thread, CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream, bool asynchronous)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (!device(destination, bytes) || !device(source, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    return line(destination, source, bytes, per_thread, stream, asynchronous);
}

CUresult facet_cuMemcpyDtoD_v2(bool per_thread, CUdeviceptr destination, CUdeviceptr source, size_t bytes)
{
    return between(per_thread, destination, source, bytes, NULL, false);
}

CUresult facet_cuMemcpyDtoDAsync_v2(bool per_thread, CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return between(per_thread, destination, source, bytes, stream, true);
}

/* Which context an address belongs to is known from the address. */

CUresult facet_cuMemcpyPeer(bool per_thread, CUdeviceptr destination, CUcontext destination_context, CUdeviceptr source, CUcontext source_context,
                            size_t bytes)
{
    if (facet_object(destination_context, FACET_CONTEXT) == NULL || facet_object(source_context, FACET_CONTEXT) == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    return between(per_thread, destination, source, bytes, NULL, false);
}

CUresult facet_cuMemcpyPeerAsync(bool per_thread, CUdeviceptr destination, CUcontext destination_context, CUdeviceptr source,
                                 CUcontext source_context, size_t bytes, CUstream stream)
{
    if (facet_object(destination_context, FACET_CONTEXT) == NULL || facet_object(source_context, FACET_CONTEXT) == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    return between(per_thread, destination, source, bytes, stream, true);
}
