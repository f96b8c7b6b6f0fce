#include "reserve.h"

#include <sys/mman.h>

#include "arena.h"
#include "memory.h"
#include "pool.h"
#include "quota.h"

enum { PAGE = 4096 };

CUresult facet_reserve(struct facet_context *context, uint64_t bytes, uint64_t *address)
{
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (bytes > context->bytes - context->own)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&context->lock);
    struct facet_allocation *allocation = facet_arena_take(context->allocations, bytes, 0);
    if (allocation != NULL) {
        allocation->kind = FACET_MEMORY_DEVICE;
        allocation->context = context;
        allocation->buffer = facet_memory_next_buffer();
        allocation->reserved = true;
        *address = allocation->address;
    }
    pthread_mutex_unlock(&context->lock);
    return allocation == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

static uint64_t extent_of(struct facet_context *context, uint64_t address)
{
    pthread_mutex_lock(&context->lock);
    const struct facet_allocation *allocation = facet_arena_find(context->allocations, address);
    uint64_t extent = allocation == NULL ? 0 : allocation->extent;
    pthread_mutex_unlock(&context->lock);
    return extent;
}

CUresult facet_reserve_back(struct facet_context *context, uint64_t address)
{
    uint64_t extent = extent_of(context, address);
    if (extent == 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = facet_quota_claim(context, FACET_MEMORY_DEVICE, extent, facet_memory_returning(context));
    if (result == CUDA_ERROR_OUT_OF_MEMORY && facet_pool_trim(context))
        result = facet_quota_claim(context, FACET_MEMORY_DEVICE, extent, facet_memory_returning(context));
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&context->lock);
    result = facet_post_allocate(context->object.id, address, extent, FACET_MEMORY_DEVICE);
    struct facet_allocation *allocation = facet_arena_find(context->allocations, address);
    if (result == CUDA_SUCCESS)
        allocation->reserved = false;
    pthread_mutex_unlock(&context->lock);
    if (result != CUDA_SUCCESS)
        facet_quota_release(context, FACET_MEMORY_DEVICE, extent);
    return result;
}

bool facet_reserve_unback(struct facet_context *context, uint64_t address)
{
    if (context->far)
        return false; /* only the host can give its pages back, and with them goes the address */
    pthread_mutex_lock(&context->lock);
    struct facet_allocation *allocation = facet_arena_find(context->allocations, address);
    uint64_t extent = allocation->extent;
    allocation->reserved = true;
    facet_post_free(context->object.id, address);
    /* Whole pages alone: others lie on the rest. */
    uint64_t first = (address + PAGE - 1) & ~(uint64_t)(PAGE - 1), end = (address + extent) & ~(uint64_t)(PAGE - 1);
    if (first < end)
        madvise((void *)(uintptr_t)first, end - first, MADV_REMOVE);
    pthread_mutex_unlock(&context->lock);
    facet_quota_release(context, FACET_MEMORY_DEVICE, extent);
    return true;
}
