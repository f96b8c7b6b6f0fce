/* Plain device memory, in all shapes that the driver API has. */
#include "escape.h"

#define MIB ((size_t)1 << 20)

static int plain_large(size_t want)
{
    return take_pieces(want, want, take_plain);
}

/* Sizes that are no multiple of anything. */
static int take_odd(size_t bytes)
{
    (void)bytes;
    return take_plain(33001);
}

static int plain_small(size_t want)
{
    return take_pieces(want, MIB, take_odd);
}

/* Sizes whose sums and roundings pass the end of what a number holds. None may be had. */
static int plain_huge(size_t want)
{
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 254, SIZE_MAX - 255, SIZE_MAX - 4095, SIZE_MAX / 2 + 1, SIZE_MAX / 2, (size_t)1 << 47, 0};
    (void)want;
    CUdeviceptr address;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        CUresult result = driver->allocate(&address, sizes[i]);
        if (result != (sizes[i] == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_OUT_OF_MEMORY))
            return result == CUDA_SUCCESS ? -1 : (int)result;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

static int pitch_huge(size_t want)
{
    CUdeviceptr address;
    size_t pitch;
    (void)want;
    const size_t sides[][2] = {
        {SIZE_MAX, 1}, {1, SIZE_MAX}, {(size_t)1 << 32, (size_t)1 << 32}, {SIZE_MAX - 100, 2}, {((size_t)1 << 40) + 1, (size_t)1 << 24}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        CUresult result = cuMemAllocPitch(&address, &pitch, sides[i][0], sides[i][1], 4);
        if (result == CUDA_SUCCESS)
            return -1;
        if (result != CUDA_ERROR_OUT_OF_MEMORY && result != CUDA_ERROR_INVALID_VALUE)
            return result;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Narrow rows: nearly all that is taken is padding. */
static int take_rows(size_t bytes)
{
    CUdeviceptr address;
    size_t pitch;
    CUresult result = cuMemAllocPitch(&address, &pitch, 4, bytes / 512, 4);
    if (result == CUDA_SUCCESS)
        got(address, pitch * (bytes / 512));
    return result;
}

static int pitch(size_t want)
{
    return take_pieces(want, 8 * MIB, take_rows);
}

static int take_managed(size_t bytes)
{
    CUdeviceptr address;
    CUresult result = cuMemAllocManaged(&address, bytes, CU_MEM_ATTACH_GLOBAL);
    if (result == CUDA_SUCCESS)
        got(address, bytes);
    return result;
}

static int managed(size_t want)
{
    return take_pieces(want, 8 * MIB, take_managed);
}

/* Managed memory that the program touches before any kernel does, and prefetches. */
static int take_managed_on_host(size_t bytes)
{
    CUdeviceptr address;
    CUresult result = cuMemAllocManaged(&address, bytes, CU_MEM_ATTACH_HOST);
    if (result != CUDA_SUCCESS)
        return result;
    memset((void *)(uintptr_t)address, 1, bytes);
    MUST(cuMemPrefetchAsync(address, bytes, 0, NULL));
    got(address, bytes);
    return CUDA_SUCCESS;
}

static int managed_on_host(size_t want)
{
    return take_pieces(want, 8 * MIB, take_managed_on_host);
}

/* Managed memory that is the host's by all that the program says: the slice's it is all the same. */
static int take_managed_left(size_t bytes)
{
    CUdeviceptr address;
    CUmemLocation host = {.type = CU_MEM_LOCATION_TYPE_HOST};
    size_t first = 0;
    CUresult result = cuMemAllocManaged(&address, bytes, CU_MEM_ATTACH_GLOBAL);
    if (result != CUDA_SUCCESS)
        return result;
    MUST(cuMemAdvise_v2(address, bytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    MUST(cuMemPrefetchBatchAsync(&address, &bytes, 1, &host, &first, 1, 0, NULL));
    MUST(cuMemDiscardBatchAsync(&address, &bytes, 1, 0, NULL));
    MUST(cuMemDiscardAndPrefetchBatchAsync(&address, &bytes, 1, &host, &first, 1, 0, NULL));
    got(address, bytes);
    return CUDA_SUCCESS;
}

static int managed_left(size_t want)
{
    return take_pieces(want, 8 * MIB, take_managed_left);
}

/* Frees and takes again, larger each time: what was freed may not be had twice. */
static int growing(size_t want)
{
    int result = CUDA_SUCCESS;
    for (size_t size = MIB; size < want && result == CUDA_SUCCESS; size *= 2) {
        CUdeviceptr address;
        result = driver->allocate(&address, size);
        if (result == CUDA_SUCCESS)
            MUST(driver->give(address));
    }
    for (int i = 0; i < 200; i++) {
        CUdeviceptr pieces[8];
        int count = 0;
        while (count < 8 && driver->allocate(&pieces[count], want / 8) == CUDA_SUCCESS)
            count++;
        for (int k = 0; k < count; k++)
            MUST(driver->give(pieces[k]));
    }
    return take_pieces(want, 4 * MIB, take_plain);
}

/* ---- host memory: nothing of it is the slice's */

static void give_host(CUdeviceptr address)
{
    MUST(cuMemFreeHost((void *)(uintptr_t)address));
}

static int take_host(size_t bytes)
{
    void *host;
    CUdeviceptr address;
    CUresult result = cuMemHostAlloc(&host, bytes, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE);
    if (result != CUDA_SUCCESS)
        return result;
    MUST(cuMemHostGetDevicePointer(&address, host, 0));
    memset(host, 1, bytes); /* its pages are this process's own */
    got_by(address, bytes, give_host);
    return CUDA_SUCCESS;
}

static int host(size_t want)
{
    return take_pieces(want, 8 * MIB, take_host);
}

static int take_host_plain(size_t bytes)
{
    void *memory;
    CUresult result = cuMemAllocHost(&memory, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    memset(memory, 1, bytes);
    got_by((CUdeviceptr)(uintptr_t)memory, bytes, give_host);
    return CUDA_SUCCESS;
}

CUresult allocate_host_small(void **memory, unsigned bytes) __asm__("cuMemAllocHost"); /* not the one that cuda.h means */

static int take_host_small(size_t bytes)
{
    void *memory;
    CUresult result = allocate_host_small(&memory, (unsigned)bytes);
    if (result != CUDA_SUCCESS)
        return result;
    memset(memory, 1, bytes);
    got_by((CUdeviceptr)(uintptr_t)memory, bytes, give_host);
    return CUDA_SUCCESS;
}

static int host_small(size_t want)
{
    return take_pieces(want, 8 * MIB, take_host_small);
}

static int host_plain(size_t want)
{
    return take_pieces(want, 8 * MIB, take_host_plain);
}

static void *registered[64];
static int registered_count;

static int take_registered(size_t bytes)
{
    CUdeviceptr address;
    void *memory = aligned_alloc(4096, bytes);
    if (memory == NULL || registered_count == 64)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memset(memory, 1, bytes);
    CUresult result = cuMemHostRegister(memory, bytes, CU_MEMHOSTREGISTER_DEVICEMAP);
    if (result != CUDA_SUCCESS)
        return result;
    registered[registered_count++] = memory;
    MUST(cuMemHostGetDevicePointer(&address, memory, 0));
    got_by(address, bytes, NULL);
    return CUDA_SUCCESS;
}

static int host_registered(size_t want)
{
    return take_pieces(want, 4 * MIB, take_registered);
}

const struct way memory_ways[] = {
    {.name = "plain-large", .kind = MEMORY, .take = plain_large, .calls = "cuMemAlloc_v2"},
    {.name = "plain-small", .kind = MEMORY, .take = plain_small, .calls = "cuMemAlloc_v2"},
    {.name = "plain-growing", .kind = MEMORY, .take = growing, .calls = "cuMemAlloc_v2 cuMemFree_v2"},
    {.name = "plain-huge", .kind = REFUSED, .take = plain_huge, .calls = "cuMemAlloc_v2"},
    {.name = "pitch", .kind = MEMORY, .take = pitch, .calls = "cuMemAllocPitch_v2"},
    {.name = "pitch-huge", .kind = REFUSED, .take = pitch_huge, .calls = "cuMemAllocPitch_v2"},
    {.name = "managed", .kind = MEMORY, .take = managed, .calls = "cuMemAllocManaged"},
    {.name = "managed-on-host",
     .kind = MEMORY,
     .take = managed_on_host,
     .calls = "cuMemAllocManaged cuMemPrefetchAsync cuMemPrefetchAsync_v2 cuStreamAttachMemAsync"},
    {.name = "managed-left",
     .kind = MEMORY,
     .take = managed_left,
     .calls = "cuMemAllocManaged cuMemPrefetchBatchAsync cuMemDiscardBatchAsync cuMemDiscardAndPrefetchBatchAsync"},
    {.name = "host", .kind = HOST, .take = host, .calls = "cuMemHostAlloc"},
    {.name = "host-plain", .kind = HOST, .take = host_plain, .calls = "cuMemAllocHost_v2"},
    {.name = "host-32-bit", .kind = HOST, .take = host_small, .calls = "cuMemAllocHost"},
    {.name = "host-registered", .kind = HOST, .take = host_registered, .calls = "cuMemHostRegister cuMemHostRegister_v2"},
    {.name = NULL},
};
