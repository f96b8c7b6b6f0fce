#include "arena.h"
#include "graph/capture.h"
#include "memory.h"
#include "share.h"

enum { PITCH = 512 }; /* bytes; rows of pitched memory start at multiples */

static CUresult take(uint64_t bytes, uint32_t kind, uint32_t flags, CUdeviceptr *address)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsafe();
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t chosen;
    if (address == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    result = facet_memory_allocate(context, &(struct facet_wanted){.bytes = bytes, .kind = kind, .flags = flags}, &chosen);
    if (result == CUDA_SUCCESS)
        *address = (CUdeviceptr)chosen;
    return result;
}

CUresult facet_cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    return take(bytes, FACET_MEMORY_DEVICE, 0, address);
}

CUresult facet_cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int element)
{
    if (pitch == NULL || width == 0 || height == 0 || (element != 4 && element != 8 && element != 16))
        return CUDA_ERROR_INVALID_VALUE;
    size_t row, bytes;
    if (__builtin_add_overflow(width, PITCH - 1, &row))
        return CUDA_ERROR_INVALID_VALUE;
    row &= ~(size_t)(PITCH - 1);
    if (__builtin_mul_overflow(row, height, &bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = take(bytes, FACET_MEMORY_DEVICE, 0, address);
    if (result == CUDA_SUCCESS)
        *pitch = row;
    return result;
}

CUresult facet_cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags)
{
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
        return CUDA_ERROR_INVALID_VALUE;
    return take(bytes, FACET_MEMORY_MANAGED, flags, address);
}

/* Freeing waits for what may still use the memory, as in CUDA. */
CUresult facet_cuMemFree_v2(CUdeviceptr address)
{
    CUresult result = facet_session_check();
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsafe();
    if (result != CUDA_SUCCESS || address == 0)
        return result;
    struct facet_context *context = facet_context_of_address(address);
    if (context != NULL && facet_graph_memory_freed(address, &result))
        return result == CUDA_SUCCESS ? facet_context_rest(context) : result;
    if (context == NULL)
        return facet_share_close(true, address); /* of another process's pool */
    struct facet_allocation found;
    if (!facet_memory_find(address, &found) || found.address != address || !facet_memory_counts(found.kind) || found.bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_share_freed(address))
        return CUDA_ERROR_INVALID_VALUE;
    result = facet_context_rest(context);
    facet_share_reap();
    if (result == CUDA_SUCCESS && !facet_share_end(context, address))
        return CUDA_SUCCESS; /* others have it open: it is freed when they have not */
    return result == CUDA_SUCCESS ? facet_memory_give(context, address) : result;
}

CUresult facet_cuMemGetInfo_v2(size_t *available, size_t *total)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t limit, taken;
    facet_ledger_read(context->device, &limit, &taken);
    if (available != NULL)
        *available = taken < limit ? limit - taken : 0;
    if (total != NULL)
        *total = limit;
    return CUDA_SUCCESS;
}

CUresult facet_cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_allocation found;
    if (!facet_memory_find(address, &found))
        return CUDA_ERROR_NOT_FOUND;
    if (base != NULL)
        *base = (CUdeviceptr)(found.host != NULL ? (uintptr_t)found.host : found.address);
    if (bytes != NULL)
        *bytes = found.bytes;
    return CUDA_SUCCESS;
}
