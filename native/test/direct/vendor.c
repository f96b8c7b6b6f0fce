/* A vendor's driver that is none: memory is counted, nothing is executed. For what a real one does not do on demand: errors of any call, calls
 * that hang or crash, calls that abi/tables does not know.
 *
 *   FAKE_UUID      32 hexadecimal digits: of its only device
 *   FAKE_TROUBLE   error:CALL, hang:CALL or crash:CALL
 *   FAKE_TAKEN     mebibytes of its memory that others have; managed memory needs no room
 *   FAKE_LAYOUT    arrays have rows of 64 KiB, and are told to have them
 *   FAKE_PAGES     0: its device cannot use memory that is not on it
 *
 * It has 1 GiB. What it lacks of the driver API it lacks as an older driver would. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facet_cuda.h"

#define EXPORT __attribute__((visibility("default")))
#define ALL (1ull << 30)
#define POOL_CHUNK (32ull << 20)

static _Atomic uint64_t used;
static __thread CUcontext current;
static char context_marks[64];
static int contexts;

/* Whether the call is to fail. The calls that do not come back do not. */
static CUresult trouble(const char *call)
{
    const char *wanted = getenv("FAKE_TROUBLE");
    const char *named = wanted == NULL ? NULL : strchr(wanted, ':');
    if (named == NULL || strcmp(named + 1, call) != 0)
        return CUDA_SUCCESS;
    if (strncmp(wanted, "hang", 4) == 0)
        for (;;)
            pause();
    if (strncmp(wanted, "crash", 5) == 0)
        abort();
    return CUDA_ERROR_UNKNOWN;
}

#define BEGIN                               \
    do {                                    \
        CUresult wrong = trouble(__func__); \
        if (wrong != CUDA_SUCCESS)          \
            return wrong;                   \
    } while (0)

static CUresult take(uint64_t bytes)
{
    if (atomic_fetch_add(&used, bytes) + bytes <= ALL)
        return CUDA_SUCCESS;
    atomic_fetch_sub(&used, bytes);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Memory is a block of the heap with its size before it. */
static void *made(uint64_t bytes)
{
    if (take(bytes) != CUDA_SUCCESS)
        return NULL;
    uint64_t *block = calloc(1, 64);
    block[0] = bytes;
    return block + 2;
}

static void ended(void *pointer)
{
    uint64_t *block = (uint64_t *)pointer - 2;
    atomic_fetch_sub(&used, block[0]);
    free(block);
}

/* ---- calls that nobody knows */

struct cu_future {
    double first, second, third;
    long fourth;
};

EXPORT double cuFutureFloats(double a, float b, double c, double d, float e, double f, double g, double h, double i, float j);
EXPORT double cuFutureFloats(double a, float b, double c, double d, float e, double f, double g, double h, double i, float j)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

EXPORT long cuFutureIntegers(long a, int b, long c, int d, long e, int f, long g, int h, struct cu_future i, unsigned char j);
EXPORT long cuFutureIntegers(long a, int b, long c, int d, long e, int f, long g, int h, struct cu_future i, unsigned char j)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + (long)(i.first + i.second + i.third) + i.fourth + j;
}

EXPORT struct cu_future cuFutureStructure(struct cu_future given, int factor);
EXPORT struct cu_future cuFutureStructure(struct cu_future given, int factor)
{
    return (struct cu_future){given.first * factor, given.second * factor, given.third * factor, given.fourth * factor};
}

EXPORT int cuFutureList(int count, ...);
EXPORT int cuFutureList(int count, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += i % 2 == 0 ? va_arg(list, int) : va_arg(list, double);
    va_end(list);
    return (int)sum;
}

EXPORT int cuFutureNumber = 4711;

/* A newer version than the tables have of a call that they know. */
EXPORT CUresult cuMemAlloc_v3(CUdeviceptr *address, size_t bytes, int kind, float hint);
EXPORT CUresult cuMemAlloc_v3(CUdeviceptr *address, size_t bytes, int kind, float hint)
{
    *address = bytes + (size_t)kind + (size_t)hint;
    return CUDA_SUCCESS;
}

/* ---- devices and contexts */

EXPORT CUresult cuInit(unsigned int flags)
{
    BEGIN;
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuDriverGetVersion(int *version)
{
    BEGIN;
    *version = 14000;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *count)
{
    BEGIN;
    *count = 1;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    BEGIN;
    *device = ordinal;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    BEGIN;
    const char *digits = getenv("FAKE_UUID");
    (void)device;
    for (int i = 0; i < 16; i++) {
        unsigned int byte = 0;
        if (digits == NULL || sscanf(digits + 2 * i, "%2x", &byte) != 1)
            return CUDA_ERROR_INVALID_VALUE;
        uuid->bytes[i] = (char)byte;
    }
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    BEGIN;
    (void)device;
    *bytes = ALL;
    return CUDA_SUCCESS;
}

static CUresult new_context(CUcontext *context)
{
    if (contexts == sizeof context_marks)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *context = (CUcontext)(void *)&context_marks[contexts++];
    current = *context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device)
{
    BEGIN;
    (void)flags;
    (void)device;
    return new_context(context);
}

EXPORT CUresult cuCtxDestroy_v2(CUcontext context)
{
    BEGIN;
    if (current == context)
        current = NULL;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    BEGIN;
    (void)device;
    *context = (CUcontext)(void *)&contexts;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    BEGIN;
    (void)device;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSetCurrent(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    *context = current;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return current == NULL ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSynchronize(void)
{
    BEGIN;
    return CUDA_SUCCESS;
}

/* ---- memory */

EXPORT CUresult cuMemGetInfo_v2(size_t *left, size_t *total)
{
    BEGIN;
    *left = ALL - used;
    *total = ALL;
    return CUDA_SUCCESS;
}

static CUresult allocate(CUdeviceptr *address, uint64_t bytes)
{
    *address = (CUdeviceptr)(uintptr_t)made(bytes);
    return *address == 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* What others have is theirs. */
static bool has_room(size_t bytes)
{
    const char *taken = getenv("FAKE_TAKEN");
    return atomic_load(&used) + bytes + ((uint64_t)(taken == NULL ? 0 : atoll(taken)) << 20) <= ALL;
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    BEGIN;
    return has_room(bytes) ? allocate(address, bytes) : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags)
{
    BEGIN;
    (void)flags;
    return allocate(address, bytes);
}

/* How often each was asked, for who looks. */
EXPORT int fake_advised, fake_prefetched;
int fake_advised, fake_prefetched;

EXPORT CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device)
{
    BEGIN;
    (void)address;
    (void)bytes;
    (void)device;
    fake_advised += advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream)
{
    BEGIN;
    (void)address;
    (void)bytes;
    (void)device;
    (void)stream;
    fake_prefetched++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    BEGIN;
    (void)device;
    const char *pages = getenv("FAKE_PAGES");
    *value = attribute == CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS && (pages == NULL || *pages != '0');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int element)
{
    BEGIN;
    (void)element;
    *pitch = (width + 1023) / 1024 * 1024;
    return allocate(address, *pitch * height);
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr address)
{
    BEGIN;
    ended((void *)(uintptr_t)address);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *properties, unsigned long long flags)
{
    BEGIN;
    (void)properties;
    (void)flags;
    *handle = (CUmemGenericAllocationHandle)(uintptr_t)made(size);
    return *handle == 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

EXPORT CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    BEGIN;
    (void)handle;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemMap(CUdeviceptr address, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    BEGIN;
    (void)address, (void)size, (void)offset, (void)handle, (void)flags;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemUnmap(CUdeviceptr address, size_t size)
{
    BEGIN;
    (void)address, (void)size;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *wanted)
{
    BEGIN;
    *array = made(wanted->Width * (wanted->Height == 0 ? 1 : wanted->Height) * 4 * wanted->NumChannels);
    return *array == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* One that gets its memory later has none, and knows how much it will need. */
static void *later(uint64_t bytes)
{
    uint64_t *array = made(0);
    array[-1] = bytes;
    return array;
}

EXPORT CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    BEGIN;
    uint64_t rows = (wanted->Height == 0 ? 1 : wanted->Height) * (wanted->Depth == 0 ? 1 : wanted->Depth);
    if ((wanted->Flags & CUDA_ARRAY3D_DEFERRED_MAPPING) != 0)
        *array = later(rows << 16);
    else
        *array = made(wanted->Width * rows * 4 * wanted->NumChannels);
    return *array == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

EXPORT CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *found, CUarray array, CUdevice device)
{
    BEGIN;
    (void)device;
    uint64_t bytes = getenv("FAKE_LAYOUT") == NULL ? 0 : ((uint64_t *)array)[-1];
    *found = (CUDA_ARRAY_MEMORY_REQUIREMENTS){.size = bytes, .alignment = 1 << 16};
    return bytes == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

EXPORT CUresult cuArrayDestroy(CUarray array)
{
    BEGIN;
    ended(array);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmap, const CUDA_ARRAY3D_DESCRIPTOR *wanted, unsigned int levels)
{
    BEGIN;
    (void)levels;
    *mipmap = made(wanted->Width * wanted->Height * 8);
    return *mipmap == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

EXPORT CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap)
{
    BEGIN;
    ended(mipmap);
    return CUDA_SUCCESS;
}

/* ---- one pool, which holds whole chunks and lets them go when it is trimmed */

static uint64_t pool_used, pool_held;

EXPORT CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    BEGIN;
    (void)device;
    *pool = (CUmemoryPool)(void *)&pool_used;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    BEGIN;
    (void)pool;
    *(uint64_t *)value = attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT ? pool_held : pool_used;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    BEGIN;
    (void)stream;
    uint64_t more = 0;
    if (pool_used + bytes > pool_held) {
        more = (pool_used + bytes - pool_held + POOL_CHUNK - 1) / POOL_CHUNK * POOL_CHUNK;
        if (take(more) != CUDA_SUCCESS)
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    uint64_t *block = malloc(64);
    block[0] = bytes;
    pool_held += more;
    pool_used += bytes;
    *address = (CUdeviceptr)(uintptr_t)(block + 2);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    BEGIN;
    (void)stream;
    uint64_t *block = (uint64_t *)(uintptr_t)address - 2;
    pool_used -= block[0];
    free(block);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t kept)
{
    BEGIN;
    (void)pool;
    uint64_t least = (pool_used + POOL_CHUNK - 1) / POOL_CHUNK * POOL_CHUNK;
    least = least > kept ? least : kept;
    if (pool_held > least) {
        atomic_fetch_sub(&used, pool_held - least);
        pool_held = least;
    }
    return CUDA_SUCCESS;
}

EXPORT CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    BEGIN;
    (void)address;
    *(int *)value = attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE ? CU_MEMORYTYPE_DEVICE : 0;
    return CUDA_SUCCESS;
}

/* ---- work: it has ended when it is given */

EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    BEGIN;
    (void)to, (void)from, (void)bytes;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    (void)flags;
    *event = malloc(16);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventDestroy_v2(CUevent event)
{
    free(event);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream)
{
    (void)event, (void)stream;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventQuery(CUevent event)
{
    (void)event;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventSynchronize(CUevent event)
{
    (void)event;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    (void)start, (void)end;
    *milliseconds = 0.001f;
    return CUDA_SUCCESS;
}

/* ---- pointers. FAKE_HIDDEN: functions that are not the exported ones, as a driver may give */

static CUresult hidden_allocate(CUdeviceptr *address, size_t bytes)
{
    return allocate(address, bytes);
}

EXPORT CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *status)
{
    BEGIN;
    (void)flags;
    bool hidden = getenv("FAKE_HIDDEN") != NULL;
    const struct {
        const char *name;
        int since;
        void *function;
    } all[] = {
        {"cuMemAlloc", 3020, hidden ? (void *)(uintptr_t)hidden_allocate : (void *)(uintptr_t)cuMemAlloc_v2},
        {"cuMemAlloc", 14000, (void *)(uintptr_t)cuMemAlloc_v3},
        {"cuMemFree", 3020, (void *)(uintptr_t)cuMemFree_v2},
        {"cuMemAllocManaged", 6000, hidden ? (void *)(uintptr_t)hidden_allocate : (void *)(uintptr_t)cuMemAllocManaged},
        {"cuCtxGetCurrent", 4000, (void *)(uintptr_t)cuCtxGetCurrent},
        {"cuFutureList", 14000, (void *)(uintptr_t)cuFutureList},
    };
    *function = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, symbol) == 0 && all[i].since <= version)
            *function = all[i].function;
    if (status != NULL)
        *status = *function != NULL ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

EXPORT CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags)
{
    return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}
