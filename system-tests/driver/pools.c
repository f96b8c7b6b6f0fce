/* Pools: what they say they hold is what they hold, and their settings decide what they give back. */
#include "check.h"

#define MIB ((size_t)1 << 20)

static uint64_t figure(CUmemoryPool pool, CUmemPool_attribute attribute)
{
    uint64_t value = 99;
    CHECK(cuMemPoolGetAttribute(pool, attribute, &value));
    return value;
}

static void holds(CUmemoryPool pool, size_t used, size_t reserved, const char *when)
{
    uint64_t uses = figure(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), has = figure(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
    REQUIRE(uses == used && has == reserved, "%s: %llu used, %llu reserved", when, (unsigned long long)uses, (unsigned long long)has);
}

static size_t available(void)
{
    size_t available, total;
    CHECK(cuMemGetInfo(&available, &total));
    return available;
}

static CUmemoryPool make(size_t most)
{
    CUmemoryPool pool;
    CUmemPoolProps wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.maxSize = most;
    CHECK(cuMemPoolCreate(&pool, &wanted));
    return pool;
}

static void threshold(CUmemoryPool pool, uint64_t bytes)
{
    CHECK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &bytes));
    REQUIRE(figure(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) == bytes, "another threshold");
}

static CUdeviceptr take(CUmemoryPool pool, size_t bytes, CUstream stream)
{
    CUdeviceptr address;
    CHECK(cuMemAllocFromPoolAsync(&address, bytes, pool, stream));
    return address;
}

/* The threshold is of all that a pool holds, and decides at each kind of waiting. */
static void release(CUstream stream)
{
    CUmemoryPool pool = make(0);
    CUevent event;
    CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    CHECK(cuCtxSynchronize());
    size_t before = available();
    CUdeviceptr kept = take(pool, 4 * MIB, stream), one, two;
    holds(pool, 4 * MIB, 4 * MIB, "one");
    REQUIRE(before - available() == 4 * MIB, "the slice counts %zu", before - available());
    for (int how = 0; how < 3; how++) {
        one = take(pool, 2 * MIB, stream);
        two = take(pool, 3 * MIB, stream);
        CHECK(cuMemsetD8Async(one, 7, 2 * MIB, stream));
        holds(pool, 9 * MIB, 9 * MIB, "three");
        CHECK(cuMemFreeAsync(one, stream));
        CHECK(cuMemFreeAsync(two, stream));
        holds(pool, 4 * MIB, 9 * MIB, "freed");
        threshold(pool, 7 * MIB);
        if (how == 0)
            CHECK(cuStreamSynchronize(stream));
        if (how == 1)
            CHECK(cuCtxSynchronize());
        if (how == 2) {
            CHECK(cuEventRecord(event, stream));
            CHECK(cuEventSynchronize(event));
        }
        holds(pool, 4 * MIB, 7 * MIB, "above the threshold");
        threshold(pool, 5 * MIB);
        CHECK(cuStreamSynchronize(stream));
        holds(pool, 4 * MIB, 4 * MIB, "below what is in use and the rest");
        REQUIRE(before - available() == 4 * MIB, "the slice counts %zu", before - available());
    }
    threshold(pool, UINT64_MAX);
    CHECK(cuMemFreeAsync(kept, stream));
    CHECK(cuCtxSynchronize());
    holds(pool, 0, 4 * MIB, "kept");
    REQUIRE(take(pool, 4 * MIB, stream) == kept, "it is not used again");
    CHECK(cuMemFreeAsync(kept, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemPoolTrimTo(pool, 4 * MIB));
    holds(pool, 0, 4 * MIB, "as much as it may keep");
    CHECK(cuMemPoolTrimTo(pool, 4 * MIB - 1));
    holds(pool, 0, 0, "trimmed");
    REQUIRE(available() == before, "the slice counts %zu", before - available());

    REQUIRE(figure(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH) == 9 * MIB, "the most that it held");
    REQUIRE(figure(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 9 * MIB, "the most that was used");
    uint64_t none = 0, some = 1;
    EXPECT(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &some), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &none), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &none));
    CHECK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &none));
    REQUIRE(figure(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH) == 0, "it was reset");
    REQUIRE(figure(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 0, "it was reset");
    EXPECT(cuMemPoolGetAttribute(pool, (CUmemPool_attribute)77, &none), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemPoolDestroy(pool));
    EXPECT(cuMemPoolDestroy(pool), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuEventDestroy(event));
}

static void bounded(CUstream stream)
{
    CUmemoryPool pool = make(8 * MIB);
    CUdeviceptr one = take(pool, 5 * MIB, stream), two;
    EXPECT(cuMemAllocFromPoolAsync(&two, 4 * MIB, pool, stream), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemAllocFromPoolAsync(&two, SIZE_MAX, pool, stream), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemAllocFromPoolAsync(&two, 0, pool, stream), CUDA_ERROR_INVALID_VALUE);
    two = take(pool, 3 * MIB, stream);
    holds(pool, 8 * MIB, 8 * MIB, "full");
    EXPECT(cuMemAllocFromPoolAsync(&two, 1, pool, stream), CUDA_ERROR_OUT_OF_MEMORY);
    threshold(pool, UINT64_MAX);
    CHECK(cuMemFreeAsync(one, stream));
    one = take(pool, 2 * MIB, stream); /* what is idle and does not fit makes room */
    CHECK(cuMemFreeAsync(one, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemPoolDestroy(pool));
}

/* What was freed is no memory any more, however it is said. */
static void freed_twice(CUstream stream)
{
    CUmemoryPool pool = make(0);
    threshold(pool, UINT64_MAX);
    CUdeviceptr memory = take(pool, MIB, stream), other;
    CHECK(cuMemFreeAsync(memory, stream));
    EXPECT(cuMemFreeAsync(memory, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemFreeAsync(memory + 256, stream), CUDA_ERROR_INVALID_VALUE);
    holds(pool, 0, MIB, "freed once");
    other = take(pool, MIB, stream);
    REQUIRE(other == memory, "it is not used again");
    CHECK(cuMemFree(other)); /* allowed, and it does not stay in the pool */
    EXPECT(cuMemFree(other), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemFreeAsync(other, stream), CUDA_ERROR_INVALID_VALUE);
    holds(pool, 0, 0, "given back");

    /* Destroyed with memory in use: that is good until it is freed, the pool is not. */
    CHECK(cuStreamSynchronize(stream));
    size_t before = available();
    CHECK(cuDeviceSetMemPool(0, pool));
    memory = take(pool, MIB, stream);
    CHECK(cuMemPoolDestroy(pool));
    EXPECT(cuMemAllocFromPoolAsync(&other, MIB, pool, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolTrimTo(pool, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceSetMemPool(0, pool), CUDA_ERROR_INVALID_VALUE);
    CUmemoryPool now, own;
    CHECK(cuDeviceGetMemPool(&now, 0));
    CHECK(cuDeviceGetDefaultMemPool(&own, 0));
    REQUIRE(now == own, "another pool than the device's");
    EXPECT(cuMemPoolDestroy(own), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemsetD8Async(memory, 1, MIB, stream));
    CHECK(cuMemFreeAsync(memory, stream));
    CHECK(cuStreamSynchronize(stream));
    REQUIRE(available() == before, "%zu bytes are left of a pool that is gone", before - available());
}

/* A stream that never comes to its free, and others. */
static void streams(CUstream one)
{
    CUstream two;
    CUmemoryPool pool = make(0);
    int off = 0, on = 5, value = 9;
    CHECK(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
    threshold(pool, UINT64_MAX);
    CUdeviceptr memory = take(pool, MIB, one);
    CHECK(cuMemFreeAsync(memory, one));
    CHECK(cuStreamSynchronize(one));
    CHECK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &off));
    CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &value));
    REQUIRE(value == 0, "%d", value);
    CUdeviceptr other = take(pool, MIB, two);
    REQUIRE(other != memory, "it was not to be used by another stream");
    CHECK(cuMemFreeAsync(other, two));
    CHECK(cuStreamSynchronize(two));
    CHECK(cuMemPoolTrimTo(pool, 0));
    holds(pool, 0, 0, "trimmed");
    CHECK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &on));
    CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &value));
    REQUIRE(value == 1, "%d", value);
    memory = take(pool, MIB, one);
    CHECK(cuMemFreeAsync(memory, one));
    CHECK(cuStreamSynchronize(one));
    other = take(pool, MIB, two);
    REQUIRE(other == memory, "it has ended, and is not used again");
    CHECK(cuMemFreeAsync(other, two));
    CHECK(cuStreamDestroy(two)); /* what was freed in it is the pool's all the same */
    CHECK(cuCtxSynchronize());
    CHECK(cuMemPoolTrimTo(pool, 0));
    holds(pool, 0, 0, "of a stream that is gone");
    CHECK(cuMemPoolDestroy(pool));
}

static void refused(void)
{
    CUmemoryPool pool = NULL, own;
    CUmemPoolProps wanted;
    CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}, .flags = CU_MEM_ACCESS_FLAGS_PROT_NONE};
    CUmemAccess_flags flags;
    memset(&wanted, 0, sizeof wanted);
    EXPECT(cuMemPoolCreate(&pool, &wanted), CUDA_ERROR_INVALID_VALUE);
    wanted.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.location.id = 1000;
    EXPECT(cuMemPoolCreate(&pool, &wanted), CUDA_ERROR_INVALID_DEVICE);
    wanted.location.id = -1;
    EXPECT(cuMemPoolCreate(&pool, &wanted), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuMemPoolDestroy(NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolDestroy((CUmemoryPool)&wanted), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuDeviceGetDefaultMemPool(&own, 0));
    EXPECT(cuMemPoolSetAccess(own, &access, 1), CUDA_ERROR_INVALID_VALUE);
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK(cuMemPoolSetAccess(own, &access, 1));
    access.location.id = 63;
    EXPECT(cuMemPoolSetAccess(own, &access, 1), CUDA_ERROR_INVALID_DEVICE);
    access.location.id = -7;
    EXPECT(cuMemPoolSetAccess(own, &access, 1), CUDA_ERROR_INVALID_DEVICE);
    access.location.id = 0;
    CHECK(cuMemPoolGetAccess(&flags, own, &access.location));
    REQUIRE(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE, "%d", (int)flags);
    EXPECT(cuDeviceGetMemPool(&pool, 77), CUDA_ERROR_INVALID_DEVICE);
}

/* The pool of a place and a kind of memory. */
static void by_place(void)
{
    CUmemLocation device = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
    CUmemoryPool own, found = NULL, made = make(0);
    CHECK(cuDeviceGetDefaultMemPool(&own, 0));
    CHECK(cuMemGetDefaultMemPool(&found, &device, CU_MEM_ALLOCATION_TYPE_PINNED));
    REQUIRE(found == own, "another default pool");
    CHECK(cuMemSetMemPool(&device, CU_MEM_ALLOCATION_TYPE_PINNED, made));
    CHECK(cuMemGetMemPool(&found, &device, CU_MEM_ALLOCATION_TYPE_PINNED));
    REQUIRE(found == made, "another current pool");
    CHECK(cuMemSetMemPool(&device, CU_MEM_ALLOCATION_TYPE_PINNED, own));
    CHECK(cuMemPoolDestroy(made));
    device.id = 77;
    EXPECT(cuMemGetMemPool(&found, &device, CU_MEM_ALLOCATION_TYPE_PINNED), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuMemGetDefaultMemPool(&found, NULL, CU_MEM_ALLOCATION_TYPE_PINNED), CUDA_ERROR_INVALID_VALUE);
}

int main(void)
{
    CUstream stream;
    open_device();
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    release(stream);
    release(NULL);
    bounded(stream);
    freed_twice(stream);
    streams(stream);
    refused();
    by_place();
    printf("ok pools\n");
    return 0;
}
