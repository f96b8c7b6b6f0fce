/* The runtime API. Its library is loaded when it is needed; nvcc is not. */
#include <dlfcn.h>

#include "escape.h"
#include "types.h"

#define MIB ((size_t)1 << 20)

void *runtime(const char *name)
{
    static void *library;
    if (library == NULL && (library = dlopen("libcudart.so.13", RTLD_NOW)) == NULL)
        must(-1, dlerror());
    void *function = dlsym(library, name);
    if (function == NULL)
        must(-1, name);
    return function;
}

/* A function of the runtime with its type: CALL(cudaMalloc, (void **, size_t))(&p, n) */
#define CALL(name, ...) (*(cudaError_t(*) __VA_ARGS__)(uintptr_t)runtime(#name))

static void give_device(CUdeviceptr address)
{
    MUST(CALL(cudaFree, (void *))((void *)(uintptr_t)address));
}

/* The pointer is looked at when the call has been made. */
static int enter(cudaError_t result, void **memory, size_t bytes)
{
    if (result == cudaSuccess)
        got_by((CUdeviceptr)(uintptr_t)*memory, bytes, give_device);
    else
        CALL(cudaGetLastError, (void))();
    return result;
}

static int take_malloc(size_t bytes)
{
    void *memory;
    return enter(CALL(cudaMalloc, (void **, size_t))(&memory, bytes), &memory, bytes);
}

static int rt_malloc(size_t want)
{
    return take_pieces(want, want, take_malloc);
}

static int take_pitch(size_t bytes)
{
    void *memory;
    size_t pitch = 0, rows = bytes / 512;
    cudaError_t result = CALL(cudaMallocPitch, (void **, size_t *, size_t, size_t))(&memory, &pitch, 1, rows);
    return enter(result, &memory, pitch * rows);
}

static int rt_pitch(size_t want)
{
    return take_pieces(want, 8 * MIB, take_pitch);
}

static int take_3d(size_t bytes)
{
    struct cudaPitchedPtr box = {0};
    struct cudaExtent extent = {.width = 3, .height = 16, .depth = bytes / 512 / 16};
    cudaError_t result = CALL(cudaMalloc3D, (struct cudaPitchedPtr *, struct cudaExtent))(&box, extent);
    return enter(result, &box.ptr, box.pitch * extent.height * extent.depth);
}

static int rt_3d(size_t want)
{
    return take_pieces(want, 8 * MIB, take_3d);
}

/* Products that pass the end of a number. */
static int rt_3d_huge(size_t want)
{
    const struct cudaExtent extents[] = {{SIZE_MAX, 1, 1},
                                         {(size_t)1 << 31, (size_t)1 << 31, 4},
                                         {1, (size_t)1 << 32, (size_t)1 << 32},
                                         {(size_t)1 << 22, (size_t)1 << 22, (size_t)1 << 20}};
    (void)want;
    for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++) {
        struct cudaPitchedPtr box;
        if (CALL(cudaMalloc3D, (struct cudaPitchedPtr *, struct cudaExtent))(&box, extents[i]) == cudaSuccess)
            return -1;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

static int take_managed(size_t bytes)
{
    void *memory;
    return enter(CALL(cudaMallocManaged, (void **, size_t, unsigned))(&memory, bytes, 1), &memory, bytes);
}

static int rt_managed(size_t want)
{
    return take_pieces(want, 8 * MIB, take_managed);
}

static int take_async(size_t bytes)
{
    void *memory;
    return enter(CALL(cudaMallocAsync, (void **, size_t, cudaStream_t))(&memory, bytes, NULL), &memory, bytes);
}

static int rt_async(size_t want)
{
    return take_pieces(want, 8 * MIB, take_async);
}

static cudaMemPool_t pool;

static int take_of_pool(size_t bytes)
{
    void *memory;
    return enter(CALL(cudaMallocFromPoolAsync, (void **, size_t, cudaMemPool_t, cudaStream_t))(&memory, bytes, pool, NULL), &memory, bytes);
}

static int rt_pool(size_t want)
{
    struct cudaMemPoolProps wanted = {.allocType = 1, .location = {.type = 1}, .maxSize = (size_t)1 << 40};
    uint64_t threshold = UINT64_MAX;
    cudaError_t result = CALL(cudaMemPoolCreate, (cudaMemPool_t *, const struct cudaMemPoolProps *))(&pool, &wanted);
    if (result != cudaSuccess)
        return result;
    MUST(CALL(cudaMemPoolSetAttribute, (cudaMemPool_t, int, void *))(pool, 4, &threshold));
    return take_pieces(want, 8 * MIB, take_of_pool);
}

/* What a device had is free when it was reset. */
static int rt_reset(size_t want)
{
    int result = CUDA_SUCCESS;
    for (int i = 0; i < 4; i++) {
        result = take_pieces(want, 8 * MIB, take_malloc);
        if (i == 3 || (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY))
            return result;
        forget_all();
        MUST(CALL(cudaDeviceReset, (void))());
        MUST(CALL(cudaSetDevice, (int))(0));
    }
    return result;
}

/* ---- host memory */

static void give_host(CUdeviceptr address)
{
    MUST(CALL(cudaFreeHost, (void *))((void *)(uintptr_t)address));
}

static int enter_host(cudaError_t result, void **memory, size_t bytes)
{
    if (result == cudaSuccess) {
        memset(*memory, 1, bytes);
        got_by((CUdeviceptr)(uintptr_t)*memory, bytes, give_host);
    }
    return result;
}

static int take_host(size_t bytes)
{
    void *memory;
    return enter_host(CALL(cudaHostAlloc, (void **, size_t, unsigned))(&memory, bytes, 2), &memory, bytes);
}

static int rt_host(size_t want)
{
    return take_pieces(want, 8 * MIB, take_host);
}

static int take_malloc_host(size_t bytes)
{
    void *memory;
    return enter_host(CALL(cudaMallocHost, (void **, size_t))(&memory, bytes), &memory, bytes);
}

static int rt_malloc_host(size_t want)
{
    return take_pieces(want, 8 * MIB, take_malloc_host);
}

static int take_registered(size_t bytes)
{
    void *seen, *memory = aligned_alloc(4096, bytes);
    memset(memory, 1, bytes);
    cudaError_t result = CALL(cudaHostRegister, (void *, size_t, unsigned))(memory, bytes, 2);
    if (result != cudaSuccess)
        return result;
    MUST(CALL(cudaHostGetDevicePointer, (void **, void *, unsigned))(&seen, memory, 0));
    got_by((CUdeviceptr)(uintptr_t)seen, bytes, NULL);
    return result;
}

static int rt_registered(size_t want)
{
    return take_pieces(want, 8 * MIB, take_registered);
}

/* ---- code with variables */

static cudaLibrary_t libraries[1024];
static int library_count;

static void unload_all(CUdeviceptr address)
{
    (void)address;
    while (library_count > 0)
        MUST(CALL(cudaLibraryUnload, (cudaLibrary_t))(libraries[--library_count]));
    MUST(CALL(cudaDeviceSynchronize, (void))());
}

static int take_library(size_t bytes)
{
    static int number;
    char text[512];
    cudaLibrary_t library;
    void *memory;
    size_t found;
    snprintf(text, sizeof text, ".version 7.5\n.target sm_75\n.address_size 64\n// library %d\n.visible .global .align 8 .b8 big[%zu];\n", number++,
             bytes);
    cudaError_t result = CALL(cudaLibraryLoadData, (cudaLibrary_t *, const void *, int *, void **, unsigned, int *, void **, unsigned))(
        &library, text, NULL, NULL, 0, NULL, NULL, 0);
    if (result != cudaSuccess)
        return result;
    result = CALL(cudaLibraryGetGlobal, (void **, size_t *, cudaLibrary_t, const char *))(&memory, &found, library, "big");
    if (result == cudaSuccess) {
        libraries[library_count++] = library;
        got_by((CUdeviceptr)(uintptr_t)memory, found, unload_all);
    } else {
        CALL(cudaLibraryUnload, (cudaLibrary_t))(library);
    }
    return result;
}

static int rt_library(size_t want)
{
    return take_pieces(want, 4 * MIB, take_library);
}

/* As nvcc writes it: a fat binary that is registered when the program starts. */
static struct wrapper {
    int magic, version;
    const void *data;
    void *unused;
} wrappers[64];
static char shadows[64];
static void **handles[64];
static int registrations;

static void unregister_all(CUdeviceptr address)
{
    (void)address;
    while (registrations > 0)
        (*(void (*)(void **))(uintptr_t)runtime("__cudaUnregisterFatBinary"))(handles[--registrations]);
    MUST(CALL(cudaDeviceSynchronize, (void))());
}

static int take_registration(size_t bytes)
{
    char text[512];
    snprintf(text, sizeof text, ".version 7.5\n.target sm_75\n.address_size 64\n// registration %d\n.visible .global .align 8 .b8 big[%zu];\n",
             registrations, bytes);
    if (registrations == 64)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct wrapper *wrapper = &wrappers[registrations];
    char *shadow = &shadows[registrations++];
    *wrapper = (struct wrapper){.magic = 0x466243b1, .version = 1, .data = fat_binary(text)};
    void **handle = (*(void **(*)(void *))(uintptr_t)runtime("__cudaRegisterFatBinary"))(wrapper);
    (*(void (*)(void **, char *, char *, const char *, int, size_t, int, int))(uintptr_t)runtime("__cudaRegisterVar"))(handle, shadow, shadow, "big",
                                                                                                                       0, bytes, 0, 0);
    (*(void (*)(void **))(uintptr_t)runtime("__cudaRegisterFatBinaryEnd"))(handle);
    handles[registrations - 1] = handle;
    void *memory;
    cudaError_t result = CALL(cudaGetSymbolAddress, (void **, const void *))(&memory, shadow);
    if (result == cudaSuccess) {
        got_by((CUdeviceptr)(uintptr_t)memory, bytes, unregister_all);
    } else {
        (*(void (*)(void **))(uintptr_t)runtime("__cudaUnregisterFatBinary"))(handle);
        registrations--;
    }
    return result;
}

static int rt_registration(size_t want)
{
    return take_pieces(want, 4 * MIB, take_registration);
}

static int rt_heap_limit(size_t want)
{
    for (size_t limit = (size_t)1 << 40; limit > want; limit /= 2)
        if (CALL(cudaDeviceSetLimit, (int, size_t))(2, limit) == cudaSuccess)
            break;
    return take_pieces(want, 4 * MIB, take_malloc);
}

const struct way runtime_ways[] = {
    {.name = "cudaMalloc", .kind = MEMORY, .take = rt_malloc, .calls = "cudaMalloc"},
    {.name = "cudaMallocPitch", .kind = MEMORY, .take = rt_pitch, .calls = "cudaMallocPitch"},
    {.name = "cudaMalloc3D", .kind = MEMORY, .take = rt_3d, .calls = "cudaMalloc3D"},
    {.name = "cudaMalloc3D-huge", .kind = REFUSED, .take = rt_3d_huge, .calls = "cudaMalloc3D"},
    {.name = "cudaMallocManaged",
     .kind = MEMORY,
     .take = rt_managed,
     .calls = "cudaMallocManaged cudaMemPrefetchAsync cudaMemPrefetchAsync_v2 cudaMemPrefetchBatchAsync cudaMemDiscardBatchAsync "
              "cudaMemDiscardAndPrefetchBatchAsync cudaStreamAttachMemAsync"},
    {.name = "cudaMallocAsync", .kind = MEMORY, .take = rt_async, .calls = "cudaMallocAsync"},
    {.name = "cudaMallocFromPoolAsync",
     .kind = MEMORY,
     .take = rt_pool,
     .calls = "cudaMallocFromPoolAsync cudaMemPoolCreate cudaMemPoolSetAttribute cudaDeviceSetMemPool cudaMemSetMemPool"},
    {.name = "cudaDeviceReset", .kind = MEMORY, .take = rt_reset, .calls = "cudaDeviceReset cudaThreadExit"},
    {.name = "cudaDeviceSetLimit", .kind = MEMORY, .take = rt_heap_limit, .calls = "cudaDeviceSetLimit cudaThreadSetLimit"},
    {.name = "cudaLibraryLoadData", .kind = MEMORY, .take = rt_library, .calls = "cudaLibraryLoadData cudaLibraryLoadFromFile"},
    {.name = "cudaRegisterFatBinary",
     .kind = MEMORY,
     .take = rt_registration,
     .calls = "__cudaRegisterFatBinary __cudaRegisterVar __cudaRegisterManagedVar __cudaInitModule"},
    {.name = "cudaHostAlloc", .kind = HOST, .take = rt_host, .calls = "cudaHostAlloc"},
    {.name = "cudaMallocHost", .kind = HOST, .take = rt_malloc_host, .calls = "cudaMallocHost"},
    {.name = "cudaHostRegister", .kind = HOST, .take = rt_registered, .calls = "cudaHostRegister"},
    {.name = NULL},
};
