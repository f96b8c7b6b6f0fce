/* Limits and preferences of a context. */
#include "context.h"

static bool known(CUlimit limit)
{
    return (int)limit >= 0 && (int)limit <= CU_LIMIT_PERSISTING_L2_CACHE_SIZE;
}

CUresult facet_cuCtxSetLimit(CUlimit limit, size_t value)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!known(limit))
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    result = facet_wait_context_limit(context->object.id, (uint32_t)limit, value);
    if (result == CUDA_SUCCESS)
        context->limits[limit] = value;
    return result;
}

CUresult facet_cuCtxGetLimit(size_t *value, CUlimit limit)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (value == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!known(limit))
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    *value = context->limits[limit];
    return CUDA_SUCCESS;
}

/* Preferences for caches and banks that a software device does not have: kept, without effect. */

CUresult facet_cuCtxGetCacheConfig(CUfunc_cache *config)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (config == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *config = (CUfunc_cache)context->cache_config;
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxSetCacheConfig(CUfunc_cache config)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if ((int)config < CU_FUNC_CACHE_PREFER_NONE || (int)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    context->cache_config = (int)config;
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (config == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *config = (CUsharedconfig)CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if ((int)config < CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE || (int)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
        return CUDA_ERROR_INVALID_VALUE;
    context->shared_config = (int)config;
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxResetPersistingL2Cache(void)
{
    struct facet_context *context;
    return facet_context_current(&context);
}
