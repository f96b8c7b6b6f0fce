/* The heap of kernels. */
#include "escape.h"

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);

#define MIB ((size_t)1 << 20)
enum { BLOCKS = 4096 };

static uint64_t *blocks; /* host memory that the kernel writes to */

/* The heap stays the context's. */
static void end_heap(CUdeviceptr address)
{
    (void)address;
    cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, MIB);
}

static int take_heap(size_t bytes)
{
    uint64_t size = bytes, most = BLOCKS, place = (uint64_t)(uintptr_t)blocks;
    MUST(cuLaunchKernel(kernel("take"), 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&size, &most, &place}, NULL));
    CUresult result = cuCtxSynchronize();
    if (result != CUDA_SUCCESS)
        return result;
    for (uint64_t i = 0; i < blocks[0]; i++)
        got_by(blocks[1 + i], bytes, end_heap);
    return blocks[0] == 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

static int heap_limit(size_t want)
{
    size_t limit = 2 * want;
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    for (; limit >= MIB && result != CUDA_SUCCESS; limit /= 2)
        result = cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, limit);
    return result;
}

static int take_heap_here(size_t want)
{
    MUST(cuMemHostAlloc((void **)&blocks, (BLOCKS + 1) * sizeof *blocks, CU_MEMHOSTALLOC_DEVICEMAP));
    int limited = heap_limit(want);
    if (limited != CUDA_SUCCESS)
        return limited;
    size_t before = held_bytes();
    while (held_bytes() < before + want && take_heap(256 << 10) == CUDA_SUCCESS) {
    }
    return held_bytes() < before + want ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* Heap first, then what is left as plain memory. */
static int heap(size_t want)
{
    int result = take_heap_here(want);
    return result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY ? result : take_pieces(want, MIB, take_plain);
}

/* Plain memory first: a heap that was promised must not come on top. */
static int heap_after(size_t want)
{
    int result = heap_limit(want);
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
        return result;
    result = take_pieces(want, MIB, take_plain);
    if (result != CUDA_ERROR_OUT_OF_MEMORY)
        return result;
    return take_heap_here(want);
}

static int heap_contexts(size_t want)
{
    CUcontext context;
    int result = CUDA_SUCCESS;
    for (int i = 0; i < 8; i++) {
        MUST(cuCtxCreate_v2(&context, 0, 0));
        result = take_heap_here(want / 8);
        if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
            return result;
    }
    return result;
}

/* Stacks and the buffer of printf have limits of their own. */
static int limits_huge(size_t want)
{
    (void)want;
    const CUlimit limits[] = {CU_LIMIT_STACK_SIZE, CU_LIMIT_MALLOC_HEAP_SIZE};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        CUresult result = cuCtxSetLimit(limits[i], (size_t)1 << 40);
        if (result == CUDA_SUCCESS)
            return -1;
        if (result != CUDA_ERROR_INVALID_VALUE && result != CUDA_ERROR_OUT_OF_MEMORY)
            return result;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

const struct way heap_ways[] = {
    {.name = "heap", .kind = MEMORY, .take = heap, .calls = "cuCtxSetLimit"},
    {.name = "heap-after-plain", .kind = MEMORY, .take = heap_after, .calls = "cuCtxSetLimit"},
    {.name = "heap-contexts", .kind = MEMORY, .take = heap_contexts, .calls = "cuCtxSetLimit"},
    {.name = "limits-huge", .kind = REFUSED, .take = limits_huge, .calls = "cuCtxSetLimit"},
    {.name = NULL},
};
