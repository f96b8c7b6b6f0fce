#include <string.h>

#include "launch.h"
#include "library.h"
#include "module.h"

CUresult facet_function_resolve(CUfunction handle, struct facet_context *context, struct facet_function **function)
{
    struct facet_function *found = facet_object(handle, FACET_FUNCTION);
    if (found != NULL) {
        *function = found;
        return CUDA_SUCCESS;
    }
    struct facet_kernel *kernel = facet_object(handle, FACET_KERNEL);
    if (kernel == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    if (context == NULL) {
        CUresult result = facet_context_current(&context);
        if (result != CUDA_SUCCESS)
            return result;
    }
    return facet_kernel_function(kernel, context, function);
}

/* For calls on a function alone: it must live, and so must its context. */
static CUresult living(CUfunction handle, struct facet_function **function)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_function_resolve(handle, NULL, function);
    return result != CUDA_SUCCESS ? result : facet_context_fault((*function)->object.context);
}

CUresult facet_function_get(const struct facet_function *function, int attribute, int *value)
{
    const struct facet_function_record *record = function->record;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = (int)record->max_threads;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)record->shared_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = (int)record->const_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)record->local_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = (int)record->registers;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = (int)record->ptx_version;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = (int)record->binary_version;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = function->max_dynamic_shared;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = function->preferred_carveout;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: {
        int axis = attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH;
        *value = (int)(record->cluster != 0 ? record->cluster >> 8 * axis & 0xff : function->cluster[axis]);
        return CUDA_SUCCESS;
    }
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = function->non_portable_cluster;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = function->cluster_policy;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: /* a kernel that says so is refused when it is launched without */
        *value = 0;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

static CUresult set_max_dynamic_shared(struct facet_function *function, int value)
{
    const struct facet_device_record *device = facet_device(function->object.context->device);
    if (device == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    int most = device->attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN];
    if (value < 0 || value > most - (int)function->record->shared_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (value == function->max_dynamic_shared)
        return CUDA_SUCCESS;
    struct facet_context *context = function->object.context;
    CUresult result = facet_wait_function_attribute(context->object.id, function->module->object.id, function->index,
                                                    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, value);
    if (result == CUDA_SUCCESS)
        function->max_dynamic_shared = value;
    return result;
}

/* The three extents are set one by one: those that are not yet are 1. A kernel that has a cluster of its own keeps it. */
static CUresult set_cluster(struct facet_function *function, int axis, int value)
{
    if (value < 0 || value > FACET_MOST_CLUSTER || function->record->cluster != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (value == 0) {
        memset(function->cluster, 0, sizeof function->cluster);
        return CUDA_SUCCESS;
    }
    for (int i = 0; i < 3; i++)
        if (function->cluster[i] == 0)
            function->cluster[i] = 1;
    function->cluster[axis] = (unsigned)value;
    return CUDA_SUCCESS;
}

CUresult facet_function_set(struct facet_function *function, int attribute, int value)
{
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        return set_max_dynamic_shared(function, value);
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        if (value < -1 || value > 100)
            return CUDA_ERROR_INVALID_VALUE;
        function->preferred_carveout = value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        function->non_portable_cluster = value != 0;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        if (value < CU_CLUSTER_SCHEDULING_POLICY_DEFAULT || value > CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING)
            return CUDA_ERROR_INVALID_VALUE;
        function->cluster_policy = value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        return set_cluster(function, attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, value);
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult facet_cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction handle)
{
    struct facet_function *function;
    CUresult result = living(handle, &function);
    if (result != CUDA_SUCCESS)
        return result;
    return value == NULL ? CUDA_ERROR_INVALID_VALUE : facet_function_get(function, (int)attribute, value);
}

CUresult facet_cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value)
{
    struct facet_function *function;
    CUresult result = living(handle, &function);
    return result != CUDA_SUCCESS ? result : facet_function_set(function, (int)attribute, value);
}

CUresult facet_cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config)
{
    struct facet_function *function;
    CUresult result = living(handle, &function);
    if (result != CUDA_SUCCESS)
        return result;
    if ((int)config < CU_FUNC_CACHE_PREFER_NONE || (int)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    function->cache_config = (int)config;
    return CUDA_SUCCESS;
}

/* Sizes of banks are a property of hardware that this device does not have. */
CUresult facet_cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig config)
{
    struct facet_function *function;
    CUresult result = living(handle, &function);
    if (result != CUDA_SUCCESS)
        return result;
    return (int)config < 0 || (int)config > 2 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult facet_cuFuncGetModule(CUmodule *module, CUfunction handle)
{
    struct facet_function *function;
    CUresult result = living(handle, &function);
    if (result != CUDA_SUCCESS)
        return result;
    if (module == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *module = (CUmodule)function->module;
    return CUDA_SUCCESS;
}

CUresult facet_cuFuncGetName(const char **name, CUfunction handle)
{
    struct facet_function *function;
    CUresult result = living(handle, &function);
    if (result != CUDA_SUCCESS)
        return result;
    if (name == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *name = function->module->names + function->record->name;
    return CUDA_SUCCESS;
}

CUresult facet_cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset, size_t *bytes)
{
    struct facet_function *function;
    CUresult result = living(handle, &function);
    if (result != CUDA_SUCCESS)
        return result;
    if (offset == NULL || index >= function->record->parameter_count)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = function->parameters[index].offset;
    if (bytes != NULL)
        *bytes = function->parameters[index].bytes;
    return CUDA_SUCCESS;
}

CUresult facet_cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction handle)
{
    struct facet_function *function;
    CUresult result = living(handle, &function);
    if (result != CUDA_SUCCESS)
        return result;
    if (state == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
}

CUresult facet_cuFuncLoad(CUfunction handle)
{
    struct facet_function *function;
    return living(handle, &function);
}
