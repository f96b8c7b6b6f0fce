/* Which devices reach the memory of a pool. Kernels of another device reach all memory of a context or none of it, so opening
 * a pool opens the contexts that its memory is in, as cuCtxEnablePeerAccess does. */
#include "pool_calls.h"

static _Atomic bool any_open; /* mostly false, and then there is nothing to look for */

static bool may_access(const struct facet_pool *pool, int device)
{
    return device < FACET_POOL_DEVICES && pool->access[device] != CU_MEM_ACCESS_FLAGS_PROT_NONE;
}

struct pair {
    struct facet_context *context; /* whose kernels reach */
    struct facet_context *memory;  /* what lies in here */
    bool wanted;
};

static void look(void *object, void *data)
{
    const struct facet_pool *pool = object;
    struct pair *pair = data;
    pair->wanted |= !pool->closing && !pool->imported && pool->device == pair->memory->device && may_access(pool, pair->context->device);
}

/* Makes it so for a pair of contexts. */
static CUresult settle(struct pair pair)
{
    if (pair.context == pair.memory || pair.context->device == pair.memory->device || !pair.context->live || !pair.memory->live)
        return CUDA_SUCCESS;
    facet_object_each(FACET_POOL, NULL, look, &pair);
    _Atomic uint64_t *lent = &pair.context->lent[pair.memory->object.id];
    uint64_t peer = pair.memory->unique, value = pair.wanted ? peer : 0;
    bool was = atomic_exchange(lent, value) == peer;
    bool enabled = atomic_load(&pair.context->peers[pair.memory->object.id]) == peer; /* by the program itself */
    if (was == pair.wanted || enabled)
        return CUDA_SUCCESS;
    CUresult result = facet_wait_peer_access(pair.context->object.id, pair.memory->object.id, pair.wanted);
    if (result != CUDA_SUCCESS)
        atomic_store(lent, was ? peer : 0);
    return result;
}

static CUresult settle_all(struct facet_context *one)
{
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < FACET_CONTEXTS && result == CUDA_SUCCESS; i++) {
        struct facet_context *other = facet_context_numbered(i);
        if (other == NULL)
            continue;
        result = settle((struct pair){.context = other, .memory = one});
        if (result == CUDA_SUCCESS)
            result = settle((struct pair){.context = one, .memory = other});
    }
    return result;
}

void facet_pool_open(struct facet_context *context)
{
    if (any_open)
        settle_all(context);
}

static CUresult open_all(int device)
{
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < FACET_CONTEXTS && result == CUDA_SUCCESS; i++) {
        struct facet_context *context = facet_context_numbered(i);
        if (context != NULL && context->device == device)
            result = settle_all(context);
    }
    return result;
}

static CUresult check(const struct facet_pool *pool, const CUmemAccessDesc *wanted)
{
    unsigned flags = wanted->flags;
    if (wanted->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return facet_unsupported("cuMemPoolSetAccess of the host");
    if (facet_device(wanted->location.id) == NULL || wanted->location.id >= FACET_POOL_DEVICES)
        return CUDA_ERROR_INVALID_DEVICE;
    if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ && flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        return CUDA_ERROR_INVALID_VALUE;
    bool own = wanted->location.id == pool->device;
    if (own)
        return flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    return facet_command_known(FACET_COMMAND_PEER_ACCESS) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

/* All are looked at before the first one is done. */
CUresult facet_cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *wanted, size_t count)
{
    struct facet_pool *pool;
    CUresult result = facet_pool_named(handle, &pool);
    if (result == CUDA_SUCCESS && (wanted == NULL || count == 0))
        result = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = check(pool, &wanted[i]);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&pool->lock);
    for (size_t i = 0; i < count; i++)
        pool->access[wanted[i].location.id] = (unsigned char)wanted[i].flags;
    pthread_mutex_unlock(&pool->lock);
    any_open = true;
    return open_all(pool->device);
}

CUresult facet_cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool handle, CUmemLocation *location)
{
    struct facet_pool *pool;
    CUresult result = facet_pool_named(handle, &pool);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags == NULL || location == NULL || location->type != CU_MEM_LOCATION_TYPE_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_device(location->id) == NULL || location->id >= FACET_POOL_DEVICES)
        return CUDA_ERROR_INVALID_DEVICE;
    *flags = pool->access[location->id];
    return CUDA_SUCCESS;
}
