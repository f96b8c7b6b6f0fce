/* A CUDA driver whose device does nothing but take time. Kernels take as many nanoseconds as their grid is wide, one after the other, whoever
 * launches them: as a GPU does with launches that were given to it. It stands where the vendor's driver is, so that what is measured is the sharing
 * and not the machine's cores, which a GPU does not need.
 *
 *   FACET_CLOCK_DEVICE   a file that all programs of the device map
 *   FACET_CLOCK_UUID     of the device, 32 hexadecimal digits */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "facet_cuda.h"

#define EXPORT __attribute__((visibility("default")))

struct CUctx_st {
    _Atomic uint64_t last; /* when its work ends */
};
struct CUstream_st {
    _Atomic uint64_t last;
};
struct CUevent_st {
    _Atomic uint64_t at; /* nanoseconds; 0: not recorded */
};

static _Atomic uint64_t *busy_until; /* of the device, by the clock */
static struct CUctx_st primary;
static struct CUstream_st default_stream;
static __thread CUcontext stack[16];
static __thread int depth;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void sleep_until(uint64_t at)
{
    static __thread int precise;
    if (!precise)
        precise = prctl(PR_SET_TIMERSLACK, 1) == 0;
    struct timespec time = {.tv_sec = (time_t)(at / 1000000000u), .tv_nsec = (long)(at % 1000000000u)};
    while (at > now() && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
        ;
}

EXPORT CUresult cuInit(unsigned int flags)
{
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    const char *path = getenv("FACET_CLOCK_DEVICE");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, 4096) != 0)
        return CUDA_ERROR_NO_DEVICE;
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        return CUDA_ERROR_NO_DEVICE;
    busy_until = memory;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *count)
{
    *count = 1;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = 0;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    const char *digits = getenv("FACET_CLOCK_UUID");
    if (device != 0 || digits == NULL || strlen(digits) != 32)
        return CUDA_ERROR_INVALID_DEVICE;
    for (int i = 0; i < 16; i++) {
        unsigned byte;
        if (sscanf(digits + 2 * i, "%2x", &byte) != 1)
            return CUDA_ERROR_INVALID_DEVICE;
        uuid->bytes[i] = (char)byte;
    }
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    return cuDeviceGetUuid_v2(uuid, device);
}

EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    *bytes = (size_t)1 << 34;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT ? 64 : 0;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
    *free_bytes = *total = (size_t)1 << 34;
    return CUDA_SUCCESS;
}

/* ---- contexts */

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    *context = &primary;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = depth > 0 ? stack[depth - 1] : NULL;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSetCurrent(CUcontext context)
{
    depth = depth > 0 ? depth : 1;
    stack[depth - 1] = context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    if (depth == 16)
        return CUDA_ERROR_INVALID_CONTEXT;
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    if (depth == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    *context = stack[--depth];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return depth > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

EXPORT CUresult cuCtxSynchronize(void)
{
    sleep_until(atomic_load(&primary.last));
    return CUDA_SUCCESS;
}

EXPORT CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    *mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    return CUDA_SUCCESS;
}

/* ---- streams and events */

static struct CUstream_st *of(CUstream stream)
{
    return (uintptr_t)stream <= 2 ? &default_stream : stream;
}

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    (void)flags;
    *stream = calloc(1, sizeof **stream);
    return *stream != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT CUresult cuStreamDestroy_v2(CUstream stream)
{
    free(stream);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamSynchronize(CUstream stream)
{
    sleep_until(atomic_load(&of(stream)->last));
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    return *event != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT CUresult cuEventDestroy_v2(CUevent event)
{
    free(event);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream)
{
    uint64_t ends = atomic_load(&of(stream)->last), here = now();
    atomic_store(&event->at, ends > here ? ends : here);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventQuery(CUevent event)
{
    return atomic_load(&event->at) <= now() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

EXPORT CUresult cuEventSynchronize(CUevent event)
{
    sleep_until(atomic_load(&event->at));
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    uint64_t from = atomic_load(&start->at), to = atomic_load(&end->at);
    if (from == 0 || to == 0)
        return CUDA_ERROR_INVALID_HANDLE;
    if (to > now())
        return CUDA_ERROR_NOT_READY;
    *milliseconds = (float)((double)(int64_t)(to - from) / 1e6);
    return CUDA_SUCCESS;
}

/* ---- code: what is in it nobody looks at */

struct CUmod_st {
    struct CUfunc_st *functions;
};
struct CUfunc_st {
    struct CUfunc_st *next;
};

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values)
{
    (void)image, (void)count, (void)options, (void)values;
    *module = calloc(1, sizeof **module);
    return *module != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    (void)name;
    struct CUfunc_st *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->next = module->functions;
    module->functions = made;
    *function = made;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    (void)attribute, (void)function;
    *value = 0;
    return CUDA_SUCCESS;
}

/* ---- work */

static void raise_to(_Atomic uint64_t *word, uint64_t value)
{
    uint64_t before = atomic_load(word);
    while (before < value && !atomic_compare_exchange_weak(word, &before, value))
        ;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned int x, unsigned int y, unsigned int z, unsigned int block_x, unsigned int block_y,
                               unsigned int block_z, unsigned int shared, CUstream stream, void **parameters, void **extra)
{
    (void)function, (void)block_x, (void)block_y, (void)block_z, (void)shared, (void)parameters, (void)extra;
    struct CUstream_st *line = of(stream);
    uint64_t took = (uint64_t)x * y * z, here = now(), before = atomic_load(busy_until), ends;
    do
        ends = (before > here ? before : here) + took;
    while (!atomic_compare_exchange_weak(busy_until, &before, ends));
    raise_to(&line->last, ends);
    raise_to(&primary.last, ends);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    *address = (CUdeviceptr)(uintptr_t)malloc(bytes);
    return *address != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr address)
{
    free((void *)(uintptr_t)address);
    return CUDA_SUCCESS;
}
