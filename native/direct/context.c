/* Contexts: they take memory when they are made, and what is in them ends with them. */
#include <pthread.h>
#include <string.h>

#include "books.h"
#include "client.h"
#include "overhead.h"
#include "pool.h"
#include "segment.h"
#include "slice.h"
#include "time.h"
#include "twins.h"
#include "unruled.h"
#include "vendor.h"
#include "work.h"

/* Increased when a context ends: its handle may be given to another one. */
static _Atomic uint64_t generation = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Primary contexts by the slice's number of their device. */
static struct {
    CUcontext context;
    uint64_t retained;
} primary[FACET_VISIBLE_MOST];

static __thread struct facet_where last;
static __thread uint64_t last_generation;

CUresult facet_where(struct facet_where *where)
{
    CUcontext context;
    CUresult result = facet_session_check();
    if (result == CUDA_SUCCESS)
        result = facet_vendor.cuCtxGetCurrent(&context);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t now = atomic_load_explicit(&generation, memory_order_acquire);
    if (context == last.context && last_generation == now && context != NULL) {
        *where = last;
        return CUDA_SUCCESS;
    }
    CUdevice device;
    result = facet_vendor.cuCtxGetDevice(&device);
    if (result != CUDA_SUCCESS)
        return result;
    int number = facet_slice_number(device);
    if (number < 0)
        return CUDA_ERROR_NOT_PERMITTED; /* of a device that is not the slice's */
    last = *where = (struct facet_where){.context = context, .vendor = device, .device = number};
    last_generation = now;
    return CUDA_SUCCESS;
}

/* When it was made, before anybody has it. False: the slice has no room for it. */
static CUresult made(CUcontext context, int device)
{
    CUresult result = facet_overhead_settle(device, true);
    if (result == CUDA_SUCCESS) {
        facet_ledger_context(device, 1);
        facet_time_context_made(context, device);
    }
    return result;
}

/* After it has ended. */
static void ended(CUcontext context, int device)
{
    atomic_fetch_add(&generation, 1);
    facet_book_drop(context);
    facet_pools_settle();
    if (facet_session_alive()) {
        facet_ledger_context(device, -1);
        facet_overhead_settle(device, false);
    }
    facet_unruled_tell();
}

static CUresult allowed(CUdevice vendor, int *device)
{
    CUresult result = facet_slice_check();
    if (result != CUDA_SUCCESS)
        return result;
    *device = facet_slice_number(vendor);
    return *device < 0 ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

static CUresult enter(CUresult result, CUcontext *context, int device)
{
    if (result != CUDA_SUCCESS)
        return result;
    result = made(*context, device);
    if (result != CUDA_SUCCESS) {
        facet_vendor.cuCtxDestroy_v2(*context);
        facet_overhead_settle(device, false);
        *context = NULL;
    }
    return result;
}

CUresult facet_direct_cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice vendor)
{
    int device;
    CUresult result = allowed(vendor, &device);
    return result != CUDA_SUCCESS ? result : enter(facet_vendor.cuCtxCreate_v2(context, flags, vendor), context, device);
}

CUresult facet_direct_cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *parameters, int count, unsigned int flags, CUdevice vendor)
{
    int device;
    CUresult result = allowed(vendor, &device);
    return result != CUDA_SUCCESS ? result : enter(facet_vendor.cuCtxCreate_v3(context, parameters, count, flags, vendor), context, device);
}

CUresult facet_direct_cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned int flags, CUdevice vendor)
{
    int device;
    CUresult result = allowed(vendor, &device);
    return result != CUDA_SUCCESS ? result : enter(facet_vendor.cuCtxCreate_v4(context, parameters, flags, vendor), context, device);
}

/* The device of a context that need not be current. */
static int device_of(CUcontext context)
{
    CUdevice vendor;
    CUcontext popped;
    if (facet_vendor.cuCtxPushCurrent_v2(context) != CUDA_SUCCESS)
        return -1;
    bool known = facet_vendor.cuCtxGetDevice(&vendor) == CUDA_SUCCESS;
    facet_vendor.cuCtxPopCurrent_v2(&popped);
    return known ? facet_slice_number(vendor) : -1;
}

static CUresult leave(CUcontext context, CUresult (*destroy)(CUcontext context))
{
    int device = context == NULL || facet_session_check() != CUDA_SUCCESS ? -1 : device_of(context);
    if (device < 0)
        return destroy(context);
    facet_twins_context_ends(context);
    facet_time_context_ends(context);
    CUresult result = destroy(context);
    if (result == CUDA_SUCCESS)
        ended(context, device);
    return result;
}

CUresult facet_direct_cuCtxDestroy_v2(CUcontext context)
{
    return leave(context, facet_vendor.cuCtxDestroy_v2);
}

/* Ends a context only when it was attached no more than once: the vendor knows. What is in it is dropped when it is gone. */
CUresult facet_direct_cuCtxDetach(CUcontext context)
{
    int device = context == NULL || facet_session_check() != CUDA_SUCCESS ? -1 : device_of(context);
    CUresult result = facet_vendor.cuCtxDetach(context);
    unsigned int version;
    if (result == CUDA_SUCCESS && device >= 0 && facet_vendor.cuCtxGetApiVersion(context, &version) != CUDA_SUCCESS) {
        facet_twins_context_ends(context);
        facet_time_context_ends(context);
        ended(context, device);
    }
    return result;
}

CUresult facet_direct_cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice vendor)
{
    int device;
    CUresult result = allowed(vendor, &device);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    result = facet_vendor.cuDevicePrimaryCtxRetain(context, vendor);
    if (result == CUDA_SUCCESS && primary[device].context != *context) {
        result = made(*context, device);
        if (result == CUDA_SUCCESS) {
            primary[device].context = *context;
            primary[device].retained = 0;
        } else {
            facet_vendor.cuDevicePrimaryCtxRelease_v2(vendor);
            facet_overhead_settle(device, false);
            *context = NULL;
        }
    }
    if (result == CUDA_SUCCESS)
        primary[device].retained++;
    pthread_mutex_unlock(&lock);
    return result;
}

/* The last one ends it; and so does a reset, whoever still holds it. */
static CUresult let_go(CUdevice vendor, CUresult (*call)(CUdevice vendor), bool reset)
{
    int device;
    CUresult result = allowed(vendor, &device);
    if (result != CUDA_SUCCESS)
        return call(vendor);
    pthread_mutex_lock(&lock);
    CUcontext context = primary[device].context;
    bool last_one = context != NULL && (reset || primary[device].retained == 1);
    if (last_one) {
        facet_twins_context_ends(context);
        facet_time_context_ends(context);
    }
    result = call(vendor);
    if (result == CUDA_SUCCESS && primary[device].retained > 0 && !reset)
        primary[device].retained--;
    if (result == CUDA_SUCCESS && last_one) {
        primary[device].context = NULL;
        primary[device].retained = reset ? primary[device].retained : 0;
        ended(context, device);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult facet_direct_cuDevicePrimaryCtxRelease_v2(CUdevice vendor)
{
    return let_go(vendor, facet_vendor.cuDevicePrimaryCtxRelease_v2, false);
}

CUresult facet_direct_cuDevicePrimaryCtxReset_v2(CUdevice vendor)
{
    return let_go(vendor, facet_vendor.cuDevicePrimaryCtxReset_v2, true);
}

void facet_work_start(void)
{
    facet_time_start();
}

void facet_work_before_fork(void)
{
    pthread_mutex_lock(&lock);
    facet_pools_lock();
    facet_segments_lock();
    facet_book_lock();
}

/* A child has neither contexts nor a session: what it was forked with is its parent's. */
void facet_work_after_fork(bool child)
{
    facet_book_unlock();
    facet_segments_unlock();
    facet_pools_unlock();
    pthread_mutex_unlock(&lock);
    if (!child)
        return;
    facet_book_forget();
    facet_segments_forget();
    facet_pools_forget();
    facet_overhead_forget();
    memset(primary, 0, sizeof primary);
    atomic_fetch_add(&generation, 1);
    facet_time_forked();
    facet_twins_forked();
}
