/* The primary context of each device: one object, brought to life when it is first held. */
#include "context.h"

enum { DEVICES = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct facet_context *primaries[DEVICES];
static unsigned flags_of[DEVICES]; /* set before the context is there */

static CUresult check(CUdevice device)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    return facet_device(device) == NULL || device >= DEVICES ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

/* With the lock held. */
static CUresult start(struct facet_context *context)
{
    if (context->live)
        return CUDA_SUCCESS;
    context->flags = flags_of[context->device];
    return facet_context_start(context);
}

CUresult facet_primary_wake(struct facet_context *context)
{
    if (!context->primary || context->references == 0)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    pthread_mutex_lock(&lock);
    CUresult result = start(context);
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult facet_cuDevicePrimaryCtxRetain(CUcontext *handle, CUdevice device)
{
    CUresult result = check(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (handle == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct facet_context *context = primaries[device];
    if (context == NULL) {
        context = facet_context_create(device, 0);
        if (context != NULL)
            context->primary = true;
        primaries[device] = context;
    }
    result = context == NULL ? CUDA_ERROR_OUT_OF_MEMORY : start(context);
    if (result == CUDA_SUCCESS) {
        context->references++;
        *handle = (CUcontext)context;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult facet_cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    CUresult result = check(device);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    struct facet_context *context = primaries[device];
    if (context == NULL || context->references == 0)
        result = CUDA_ERROR_INVALID_CONTEXT;
    else if (--context->references == 0 && context->live)
        facet_context_stop(context);
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult facet_cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    CUresult result = check(device);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    struct facet_context *context = primaries[device];
    if (context != NULL && context->live)
        facet_context_stop(context);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult facet_cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags)
{
    CUresult result = check(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (!facet_context_flags_valid(flags))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    flags_of[device] = flags;
    if (primaries[device] != NULL)
        primaries[device]->flags = flags;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult facet_cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
    CUresult result = check(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags == NULL || active == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    *flags = flags_of[device];
    *active = primaries[device] != NULL && primaries[device]->live;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
