/* Host memory that the device sees. What is allocated here comes from the context's own memory and has
 * one address for both. */
#include "host.h"

#include <errno.h>
#include <sys/mman.h>

#include "graph/capture.h"
#include "memory.h"
#include "registered.h"

enum { PAGE = 4096 }; /* what programs expect pinned memory to be aligned to */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14 */
#endif

/* Pages count as memory of whoever touches them first: of this program's container, not of the daemon, which may be the
 * first to write when a kernel or a copy does. */
static CUresult touch_pages(void *memory, size_t bytes)
{
    size_t whole = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
    if (madvise(memory, whole, MADV_POPULATE_WRITE) == 0)
        return CUDA_SUCCESS;
    if (errno != EINVAL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t at = 0; at < bytes; at += PAGE)
        ((volatile char *)memory)[at] = 0;
    return CUDA_SUCCESS;
}

static CUresult allocate(void **pointer, size_t bytes, unsigned flags)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsafe();
    if (result != CUDA_SUCCESS)
        return result;
    if (pointer == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t address;
    struct facet_wanted wanted = {.bytes = bytes, .alignment = PAGE, .kind = FACET_MEMORY_PINNED, .flags = flags};
    result = facet_memory_allocate(context, &wanted, &address);
    if (result != CUDA_SUCCESS)
        return result;
    result = touch_pages((void *)(uintptr_t)address, bytes);
    if (result == CUDA_SUCCESS)
        *pointer = (void *)(uintptr_t)address;
    else
        facet_memory_give(context, address);
    return result;
}

CUresult facet_cuMemAllocHost_v2(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, CU_MEMHOSTALLOC_DEVICEMAP);
}

CUresult facet_cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
    return (flags & ~known) != 0 ? CUDA_ERROR_INVALID_VALUE : allocate(pointer, bytes, flags);
}

CUresult facet_cuMemFreeHost(void *pointer)
{
    CUresult result = facet_session_check();
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsafe();
    if (result != CUDA_SUCCESS || pointer == NULL)
        return result;
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    struct facet_context *context = facet_context_of_address(address);
    struct facet_allocation found;
    if (context == NULL || !facet_memory_find(address, &found) || found.address != address || found.kind != FACET_MEMORY_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    result = facet_context_rest(context);
    return result == CUDA_SUCCESS ? facet_memory_give(context, address) : result;
}

/* An allocation of host memory and the offset in it. */
static CUresult find(const void *pointer, struct facet_allocation *found, uint64_t *offset)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    if (!facet_memory_find(address, found) || found->kind != FACET_MEMORY_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = address - (found->host != NULL ? (uint64_t)(uintptr_t)found->host : found->address);
    return CUDA_SUCCESS;
}

CUresult facet_cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *pointer, unsigned int flags)
{
    if (address == NULL || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_allocation found;
    uint64_t offset;
    CUresult result = find(pointer, &found, &offset);
    if (result != CUDA_SUCCESS)
        return result;
    if (found.address == 0)
        return CUDA_ERROR_INVALID_VALUE;
    *address = (CUdeviceptr)(found.address + offset);
    return CUDA_SUCCESS;
}

CUresult facet_cuMemHostGetFlags(unsigned int *flags, void *pointer)
{
    if (flags == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_allocation found;
    uint64_t offset;
    CUresult result = find(pointer, &found, &offset);
    if (result == CUDA_SUCCESS)
        *flags = found.flags;
    return result;
}
