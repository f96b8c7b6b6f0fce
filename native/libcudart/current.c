/* The device and the context of a thread.
 *
 * A context that the program made current through the driver is used as it is. Else the thread works in the
 * primary context of the device that it chose, device 0 at first; the context is retained when it is needed.
 * Nothing here runs before the program's first call. */
#include <string.h>

#include "runtime.h"

enum { DEVICES = 64 };

static pthread_once_t started = PTHREAD_ONCE_INIT;
static CUresult start_result;
static _Atomic bool ready; /* the driver was initialized; libraries between us and it know none of its calls before */

static pthread_mutex_t primaries_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(CUcontext) primaries[DEVICES]; /* retained here; NULL: not */

static _Thread_local struct {
    int device;        /* chosen by cudaSetDevice */
    CUcontext current; /* that we made current here */
} thread __attribute__((tls_model("initial-exec")));

static void start(void)
{
    start_result = cuInit(0);
    atomic_store_explicit(&ready, start_result == CUDA_SUCCESS, memory_order_release);
}

bool facet_driver_ready(void)
{
    return atomic_load_explicit(&ready, memory_order_acquire);
}

static cudaError_t driver(void)
{
    pthread_once(&started, start);
    return facet_error(start_result);
}

cudaError_t facet_device_count(int *count)
{
    cudaError_t error = driver();
    if (error != cudaSuccess)
        return error;
    CUresult result = cuDeviceGetCount(count);
    if (result == CUDA_SUCCESS && *count == 0)
        return cudaErrorNoDevice;
    return facet_error(result);
}

cudaError_t facet_device_handle(int ordinal, CUdevice *handle)
{
    cudaError_t error = driver();
    if (error != cudaSuccess)
        return error;
    if (ordinal < 0 || ordinal >= DEVICES)
        return cudaErrorInvalidDevice;
    return facet_error(cuDeviceGet(handle, ordinal));
}

cudaError_t facet_device_current(int *ordinal)
{
    CUcontext context = NULL;
    cudaError_t error = driver();
    if (error != cudaSuccess)
        return error;
    CUdevice device = 0;
    if (cuCtxGetCurrent(&context) == CUDA_SUCCESS && context != NULL && cuCtxGetDevice(&device) == CUDA_SUCCESS)
        *ordinal = device; /* the driver's devices are their ordinals */
    else
        *ordinal = thread.device;
    return cudaSuccess;
}

static cudaError_t primary(int ordinal, CUcontext *context)
{
    CUdevice device;
    cudaError_t error = facet_device_handle(ordinal, &device);
    if (error != cudaSuccess)
        return error;
    pthread_mutex_lock(&primaries_lock);
    *context = primaries[ordinal];
    if (*context == NULL) {
        error = facet_error(cuDevicePrimaryCtxRetain(context, device));
        if (error == cudaSuccess)
            primaries[ordinal] = *context;
    }
    pthread_mutex_unlock(&primaries_lock);
    return error;
}

static cudaError_t make_current(int ordinal)
{
    CUcontext context;
    cudaError_t error = primary(ordinal, &context);
    if (error != cudaSuccess)
        return error;
    thread.current = context;
    return facet_error(cuCtxSetCurrent(context));
}

/* Whether the current context is one that another thread has reset since we made it current here. */
static bool outdated(CUcontext context)
{
    return context == thread.current && context != atomic_load_explicit(&primaries[thread.device], memory_order_relaxed);
}

CUresult facet_context_need(void)
{
    CUcontext context = NULL;
    cudaError_t error = facet_driver_ready() ? cudaSuccess : driver();
    if (error != cudaSuccess)
        return error;
    if (cuCtxGetCurrent(&context) == CUDA_SUCCESS && context != NULL && !outdated(context))
        return CUDA_SUCCESS;
    return make_current(thread.device);
}

/* A primary context that was reset has the same handle, but another number. */
CUresult facet_context_number(unsigned long long *number)
{
    if (__builtin_expect(facet_driver_ready() && cuCtxGetId(NULL, number) == CUDA_SUCCESS, 1))
        return CUDA_SUCCESS;
    CUresult result = facet_context_need();
    return result == CUDA_SUCCESS ? cuCtxGetId(NULL, number) : result;
}

cudaError_t facet_device_choose(int ordinal)
{
    int count = 0;
    cudaError_t error = facet_device_count(&count);
    if (error != cudaSuccess)
        return error;
    if (ordinal < 0 || ordinal >= count || ordinal >= DEVICES)
        return cudaErrorInvalidDevice;
    thread.device = ordinal;
    return make_current(ordinal);
}

cudaError_t facet_context_reset(void)
{
    int ordinal = 0;
    CUdevice device;
    cudaError_t error = facet_device_current(&ordinal);
    if (error == cudaSuccess)
        error = facet_device_handle(ordinal, &device);
    if (error != cudaSuccess)
        return error;
    CUcontext context = NULL;
    pthread_mutex_lock(&primaries_lock);
    bool retained = primaries[ordinal] != NULL;
    if (retained && cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == primaries[ordinal])
        cuCtxSetCurrent(NULL);
    primaries[ordinal] = NULL;
    CUresult result = cuDevicePrimaryCtxReset_v2(device);
    if (retained)
        cuDevicePrimaryCtxRelease_v2(device);
    pthread_mutex_unlock(&primaries_lock);
    facet_errors_forgive();
    return facet_error(result);
}

cudaError_t facet_context_enter(int ordinal, CUcontext *before)
{
    *before = NULL;
    CUcontext context;
    cudaError_t error = primary(ordinal, &context);
    if (error != cudaSuccess)
        return error;
    CUresult result = cuCtxGetCurrent(before);
    if (result == CUDA_SUCCESS && *before != context)
        result = cuCtxSetCurrent(context);
    return facet_error(result);
}

void facet_context_leave(CUcontext before)
{
    cuCtxSetCurrent(before);
}
