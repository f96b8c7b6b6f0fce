/* Memory in the order of streams, and the pools behind it. */
#include "escape.h"

#define MIB ((size_t)1 << 20)
enum { STREAMS = 4, POOLS = 16 };

static CUmemoryPool pool, made[POOLS];
static int made_count;
static CUstream streams[STREAMS];
static int turn;
static bool keep_idle; /* in the pool */

/* What is idle in a pool is the slice's until it is trimmed. */
static void give_async(CUdeviceptr address)
{
    MUST(cuMemFreeAsync(address, NULL));
    if (!keep_idle && made_count > 0) {
        MUST(cuStreamSynchronize(NULL));
        for (int i = 0; i < made_count; i++)
            MUST(cuMemPoolTrimTo(made[i], 0));
    }
}

static int take_async(size_t bytes)
{
    CUdeviceptr address;
    CUresult result = cuMemAllocAsync(&address, bytes, NULL);
    if (result == CUDA_SUCCESS)
        got_by(address, bytes, give_async);
    return result;
}

static int async(size_t want)
{
    int result = take_pieces(want, 8 * MIB, take_async);
    return result;
}

static int take_in_turn(size_t bytes)
{
    CUdeviceptr address;
    CUstream stream = streams[turn++ % STREAMS];
    CUresult result = cuMemAllocAsync(&address, bytes, stream);
    if (result != CUDA_SUCCESS)
        return result;
    MUST(cuStreamSynchronize(stream));
    got_by(address, bytes, give_async);
    return CUDA_SUCCESS;
}

static int async_streams(size_t want)
{
    for (int i = 0; i < STREAMS; i++)
        MUST(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
    return take_pieces(want, 2 * MIB, take_in_turn);
}

static int take_of_pool(size_t bytes)
{
    CUdeviceptr address;
    CUresult result = cuMemAllocFromPoolAsync(&address, bytes, pool, NULL);
    if (result == CUDA_SUCCESS)
        got_by(address, bytes, give_async);
    return result;
}

static CUmemPoolProps properties(size_t most)
{
    CUmemPoolProps wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.maxSize = most;
    return wanted;
}

static CUresult make_pool(size_t most)
{
    CUmemPoolProps wanted = properties(most);
    CUresult result = cuMemPoolCreate(&pool, &wanted);
    if (result == CUDA_SUCCESS)
        made[made_count++] = pool;
    return result;
}

/* A pool that never gives back, filled and emptied: what is idle in it stays the slice's. */
static int pool_threshold(size_t want)
{
    uint64_t threshold = UINT64_MAX;
    MUST(make_pool(0));
    MUST(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    for (int round = 0; round < 3; round++) {
        int result = take_pieces(want, 2 * MIB, take_of_pool);
        if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
            return result;
        keep_idle = true;
        give_back();
        MUST(cuCtxSynchronize());
    }
    keep_idle = false;
    /* Other memory than the pool's: idle blocks must make room first. */
    int result = take_pieces(want / 2, 4 * MIB, take_plain);
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
        return result;
    return take_pieces(want, 2 * MIB, take_of_pool);
}

/* Freed in the stream, but the stream has not come there; then taken again. */
static int pool_pending(size_t want)
{
    CUstream slow, other;
    CUdeviceptr address, dummy = 0;
    uint64_t rounds = 200000;
    MUST(cuStreamCreate(&slow, CU_STREAM_NON_BLOCKING));
    MUST(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 24; i++) {
        MUST(cuLaunchKernel(kernel("work"), 4, 1, 1, 64, 1, 1, 0, slow, (void *[]){&rounds, &dummy}, NULL));
        if (cuMemAllocAsync(&address, want / 8, slow) != CUDA_SUCCESS)
            break;
        MUST(cuMemsetD8Async(address, 1, want / 8, slow));
        MUST(cuMemFreeAsync(address, slow));
        if (cuMemAllocAsync(&address, want / 16, other) == CUDA_SUCCESS) {
            MUST(cuStreamSynchronize(other));
            got_by(address, want / 16, give_async);
        }
    }
    int result = take_pieces(want, 2 * MIB, take_plain);
    MUST(cuStreamSynchronize(slow));
    return result;
}

/* Pools that are promised more than there is, and many of them. */
static int pool_large(size_t want)
{
    CUresult result = make_pool((size_t)1 << 40);
    if (result != CUDA_SUCCESS)
        return result;
    return take_pieces(want, 8 * MIB, take_of_pool);
}

static int pools(size_t want)
{
    uint64_t threshold = UINT64_MAX;
    int result = CUDA_SUCCESS;
    for (int i = 0; i < POOLS; i++) {
        MUST(make_pool(0));
        MUST(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
        result = take_pieces(want, 4 * MIB, take_of_pool);
        if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
            return result;
        if (i % 2 == 0) {
            keep_idle = true;
            give_back();
            keep_idle = false;
            MUST(cuMemPoolTrimTo(pool, want / 2));
        }
    }
    return result;
}

static int pool_current(size_t want)
{
    MUST(make_pool(0));
    MUST(cuDeviceSetMemPool(0, pool));
    int result = take_pieces(want / 2, 4 * MIB, take_async);
    if (result != CUDA_SUCCESS)
        return result;
    CUmemLocation device = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
    MUST(make_pool(0));
    MUST(cuMemSetMemPool(&device, CU_MEM_ALLOCATION_TYPE_PINNED, pool));
    return take_pieces(want, 4 * MIB, take_async);
}

const struct way pool_ways[] = {
    {.name = "async", .kind = MEMORY, .take = async, .calls = "cuMemAllocAsync"},
    {.name = "async-streams", .kind = MEMORY, .take = async_streams, .calls = "cuMemAllocAsync cuStreamCreate"},
    {.name = "pool-threshold", .kind = MEMORY, .take = pool_threshold, .calls = "cuMemAllocFromPoolAsync cuMemPoolSetAttribute"},
    {.name = "pool-pending-free", .kind = MEMORY, .take = pool_pending, .calls = "cuMemFreeAsync cuMemAllocAsync"},
    {.name = "pool-large", .kind = MEMORY, .take = pool_large, .calls = "cuMemPoolCreate cuMemAllocFromPoolAsync"},
    {.name = "pools", .kind = MEMORY, .take = pools, .calls = "cuMemPoolCreate cuMemPoolTrimTo"},
    {.name = "pool-current", .kind = MEMORY, .take = pool_current, .calls = "cuDeviceSetMemPool cuMemSetMemPool"},
    {.name = NULL},
};
