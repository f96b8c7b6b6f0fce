#include "context.h"

#include "graph/capture.h"

CUresult facet_cuCtxCreate_v2(CUcontext *handle, unsigned int flags, CUdevice device)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (handle == NULL || !facet_context_flags_valid(flags))
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_device(device) == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    struct facet_context *context = facet_context_create(device, flags);
    if (context == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    result = facet_context_start(context);
    if (result == CUDA_SUCCESS) {
        result = facet_context_push(context);
        if (result != CUDA_SUCCESS)
            facet_context_stop(context);
    }
    if (result != CUDA_SUCCESS) {
        facet_object_destroy(context);
        return result;
    }
    *handle = (CUcontext)context;
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxCreate_v3(CUcontext *handle, CUexecAffinityParam *affinities, int count, unsigned int flags, CUdevice device)
{
    if (count != 0 || affinities != NULL)
        return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    return facet_cuCtxCreate_v2(handle, flags, device);
}

CUresult facet_cuCtxCreate_v4(CUcontext *handle, CUctxCreateParams *parameters, unsigned int flags, CUdevice device)
{
    if (parameters != NULL && parameters->numExecAffinityParams != 0)
        return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    if (parameters != NULL && parameters->cigParams != NULL)
        return facet_unsupported("cuCtxCreate_v4 with cigParams");
    return facet_cuCtxCreate_v2(handle, flags, device);
}

static CUresult end(struct facet_context *context)
{
    if (facet_context_peek() == context)
        facet_context_pop(&context);
    facet_context_stop(context);
    pthread_mutex_destroy(&context->lock);
    facet_object_destroy(context);
    return CUDA_SUCCESS;
}

/* Ends it, whoever is attached. */
CUresult facet_cuCtxDestroy_v2(CUcontext handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_context *context = facet_context_handle(handle);
    return context == NULL || context->primary ? CUDA_ERROR_INVALID_CONTEXT : end(context);
}

CUresult facet_cuCtxPushCurrent_v2(CUcontext handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_context *context = facet_context_handle(handle);
    return context == NULL ? CUDA_ERROR_INVALID_CONTEXT : facet_context_push(context);
}

CUresult facet_cuCtxPopCurrent_v2(CUcontext *handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_context *context;
    result = facet_context_pop(&context);
    if (result == CUDA_SUCCESS && handle != NULL)
        *handle = (CUcontext)context;
    return result;
}

CUresult facet_cuCtxSetCurrent(CUcontext handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_context *context = facet_context_handle(handle);
    if (handle != NULL && context == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    return facet_context_bind(context);
}

CUresult facet_cuCtxGetCurrent(CUcontext *handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (handle == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *handle = (CUcontext)facet_context_peek();
    return CUDA_SUCCESS;
}

/* The current context, alive or broken: for questions that need no work of it. */
static CUresult current(struct facet_context **context)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *context = facet_context_peek();
    return *context == NULL ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult facet_cuCtxGetDevice(CUdevice *device)
{
    struct facet_context *context;
    CUresult result = current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (device == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *device = context->device;
    return CUDA_SUCCESS;
}

/* A handle of NULL means the current context. */
static CUresult named(CUcontext handle, struct facet_context **context)
{
    if (handle == NULL)
        return current(context);
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *context = facet_context_handle(handle);
    return *context == NULL ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

/* For names whose second version has a context that the first one has not: old clients look for _v2 first and call it as the
 * first one, with whatever stands in place of the context. That is no context then, and never was. */
static CUresult named_by_some(CUcontext handle, struct facet_context **context)
{
    return named(facet_object_never_was(handle, FACET_CONTEXT) ? NULL : handle, context);
}

CUresult facet_cuCtxGetDevice_v2(CUdevice *device, CUcontext handle)
{
    struct facet_context *context;
    CUresult result = named_by_some(handle, &context);
    if (result != CUDA_SUCCESS)
        return result;
    if (device == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *device = context->device;
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxGetFlags(unsigned int *flags)
{
    struct facet_context *context;
    CUresult result = current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = context->flags;
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxSetFlags(unsigned int flags)
{
    struct facet_context *context;
    CUresult result = current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!facet_context_flags_valid(flags))
        return CUDA_ERROR_INVALID_VALUE;
    context->flags = flags;
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxGetId(CUcontext handle, unsigned long long *id)
{
    struct facet_context *context;
    CUresult result = named(handle, &context);
    if (result != CUDA_SUCCESS)
        return result;
    if (id == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *id = context->unique;
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxGetApiVersion(CUcontext handle, unsigned int *version)
{
    struct facet_context *context;
    CUresult result = named(handle, &context);
    if (result != CUDA_SUCCESS)
        return result;
    if (version == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *version = 3020; /* the version in which contexts took their present form */
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxSynchronize(void)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result == CUDA_SUCCESS)
        result = facet_capture_waits(context);
    return result == CUDA_SUCCESS ? facet_context_settle(context) : result;
}

CUresult facet_cuCtxSynchronize_v2(CUcontext handle)
{
    struct facet_context *context;
    CUresult result = named_by_some(handle, &context);
    if (result == CUDA_SUCCESS)
        result = facet_capture_waits(context);
    return result == CUDA_SUCCESS ? facet_context_settle(context) : result;
}

CUresult facet_cuCtxGetExecAffinity(CUexecAffinityParam *affinity, CUexecAffinityType type)
{
    struct facet_context *context;
    (void)affinity;
    (void)type;
    CUresult result = facet_context_current(&context);
    return result == CUDA_SUCCESS ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : result;
}

/* Deprecated, and still how PyCUDA ends a context: who made it counts as one, each cuCtxAttach as one more. */

CUresult facet_cuCtxAttach(CUcontext *handle, unsigned int flags)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (handle == NULL || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    atomic_fetch_add(&context->attached, 1);
    *handle = (CUcontext)context;
    return CUDA_SUCCESS;
}

CUresult facet_cuCtxDetach(CUcontext handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_context *context = facet_context_handle(handle);
    if (context == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    int attached = atomic_load(&context->attached);
    while (attached > 0)
        if (atomic_compare_exchange_weak(&context->attached, &attached, attached - 1))
            return CUDA_SUCCESS;
    /* The primary context is retained and released instead. */
    return context->primary ? CUDA_ERROR_INVALID_CONTEXT : end(context);
}
