#include "pool.h"

static CUresult named(CUmemoryPool handle, const void *value, struct facet_pool **pool)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *pool = facet_object(handle, FACET_POOL);
    return *pool == NULL || value == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult facet_cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value)
{
    struct facet_pool *pool;
    CUresult result = named(handle, value, &pool);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&pool->lock);
    switch ((int)attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = *(const int *)value;
        break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        pool->threshold = *(const uint64_t *)value;
        break;
    /* High marks can only be reset. */
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        if (*(const uint64_t *)value == 0)
            pool->reserved_high = pool->reserved;
        else
            result = CUDA_ERROR_INVALID_VALUE;
        break;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        if (*(const uint64_t *)value == 0)
            pool->used_high = pool->used;
        else
            result = CUDA_ERROR_INVALID_VALUE;
        break;
    default:
        result = CUDA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_unlock(&pool->lock);
    return result;
}

CUresult facet_cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value)
{
    struct facet_pool *pool;
    CUresult result = named(handle, value, &pool);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&pool->lock);
    switch ((int)attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        *(int *)value = pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
        break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        *(uint64_t *)value = pool->threshold;
        break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
        *(uint64_t *)value = pool->reserved;
        break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        *(uint64_t *)value = pool->reserved_high;
        break;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        *(uint64_t *)value = pool->used;
        break;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        *(uint64_t *)value = pool->used_high;
        break;
    default:
        result = CUDA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_unlock(&pool->lock);
    return result;
}

/* A pool's memory belongs to its device; no other one can reach it. */
CUresult facet_cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *descriptions, size_t count)
{
    struct facet_pool *pool;
    CUresult result = named(handle, descriptions, &pool);
    for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++) {
        bool own = descriptions[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE && descriptions[i].location.id == pool->device;
        bool all = descriptions[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        if (own != all)
            result = own ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_DEVICE;
    }
    return result;
}

CUresult facet_cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool handle, CUmemLocation *location)
{
    struct facet_pool *pool;
    CUresult result = named(handle, location, &pool);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    bool own = location->type == CU_MEM_LOCATION_TYPE_DEVICE && location->id == pool->device;
    *flags = own ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}
