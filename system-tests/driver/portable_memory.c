/* Host memory that was pinned or registered on one device, and pools that are open to another one: kernels of both reach it. */
#include "check.h"

#include <sys/mman.h>

enum { COUNT = 2000, BYTES = COUNT * sizeof(int) };

struct half {
    CUdevice device;
    CUcontext context;
    CUfunction scale;
};

static void begin(struct half *half, int ordinal)
{
    CHECK(cuDeviceGet(&half->device, ordinal));
    CHECK(cuDevicePrimaryCtxRetain(&half->context, half->device));
    CHECK(cuCtxSetCurrent(half->context));
    half->scale = kernel(load_kernels(), "scale");
}

static CUresult scale(const struct half *half, CUdeviceptr data)
{
    int count = COUNT;
    CHECK(cuCtxSetCurrent(half->context));
    CUresult result = LAUNCH(half->scale, (COUNT + 127) / 128, 128, 0, NULL, &data, &count);
    return result == CUDA_SUCCESS ? cuCtxSynchronize() : result;
}

/* Made on the first, used by both; seen by the program where it made it. */
static void both(const struct half *one, const struct half *two, int *seen, const char *what)
{
    const struct half *halves[] = {two, one, two};
    CUdeviceptr address;
    for (int i = 0; i < COUNT; i++)
        seen[i] = i;
    for (int k = 0; k < 3; k++) {
        CHECK(cuCtxSetCurrent(halves[k]->context));
        CHECK(cuMemHostGetDevicePointer(&address, seen, 0));
        CHECK(scale(halves[k], address));
    }
    REQUIRE(seen[1] == ((1 * 3 + 10) * 3 + 10) * 3 + 10, "%s: %d", what, seen[1]);
    REQUIRE(seen[COUNT - 1] == (((COUNT - 1) * 3 + 1000) * 3 + 1000) * 3 + 1000, "%s: %d", what, seen[COUNT - 1]);
}

static void pinned(const struct half *one, const struct half *two)
{
    static const unsigned kinds[] = {0, CU_MEMHOSTALLOC_PORTABLE, CU_MEMHOSTALLOC_DEVICEMAP, CU_MEMHOSTALLOC_WRITECOMBINED,
                                     CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        int *memory;
        unsigned flags = 99;
        CHECK(cuCtxSetCurrent(one->context));
        CHECK(cuMemHostAlloc((void **)&memory, BYTES, kinds[i]));
        CHECK(cuMemHostGetFlags(&flags, memory + 7));
        REQUIRE((flags & kinds[i]) == kinds[i], "%u became %u", kinds[i], flags);
        both(one, two, memory, "pinned");
        CHECK(cuCtxSetCurrent(two->context)); /* whoever frees it */
        CHECK(cuMemFreeHost(memory));
        EXPECT(cuMemHostGetFlags(&flags, memory), CUDA_ERROR_INVALID_VALUE);
        EXPECT(cuMemFreeHost(memory), CUDA_ERROR_INVALID_VALUE);
    }
    void *none;
    EXPECT(cuMemHostAlloc(&none, BYTES, 0x80), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemHostAlloc(&none, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemHostAlloc(&none, SIZE_MAX, 0), CUDA_ERROR_OUT_OF_MEMORY);
}

static void registered(const struct half *one, const struct half *two)
{
    static const unsigned kinds[] = {0, CU_MEMHOSTREGISTER_PORTABLE, CU_MEMHOSTREGISTER_DEVICEMAP,
                                     CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP};
    int *memory = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED, "no memory");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        CHECK(cuCtxSetCurrent(one->context));
        CHECK(cuMemHostRegister(memory, BYTES, kinds[i]));
        EXPECT(cuMemHostRegister(memory + 5, 64, kinds[i]), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        CHECK(cuCtxSetCurrent(two->context)); /* of one registration, whatever device is current */
        EXPECT(cuMemHostRegister(memory, BYTES, kinds[i]), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        both(one, two, memory, "registered");
        CHECK(cuMemHostUnregister(memory));
        EXPECT(cuMemHostUnregister(memory), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
        REQUIRE(memory[1] == 157, "%d: unregistering changed it", memory[1]);
    }
    EXPECT(cuMemHostRegister(memory, BYTES, 0x40), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemHostRegister(memory, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemHostRegister(NULL, BYTES, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemHostRegister(memory, SIZE_MAX, 0), CUDA_ERROR_INVALID_VALUE);
    munmap(memory, 1 << 16);
}

static CUdeviceptr of_pool(const struct half *half, CUmemoryPool pool)
{
    CUdeviceptr address;
    static int zeros[COUNT];
    CHECK(cuCtxSetCurrent(half->context));
    CHECK(cuMemAllocFromPoolAsync(&address, BYTES, pool, NULL));
    CHECK(cuMemcpyHtoD(address, zeros, BYTES));
    return address;
}

static void pools(const struct half *one, const struct half *two, bool refused)
{
    CUmemoryPool pool;
    CUmemPoolProps wanted;
    CUmemAccess_flags flags;
    int seen[2];
    CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = two->device}, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    memset(&wanted, 0, sizeof wanted);
    wanted.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location = (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = one->device};
    CHECK(cuMemPoolCreate(&pool, &wanted));
    CHECK(cuMemPoolGetAccess(&flags, pool, &access.location));
    REQUIRE(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE, "%d", (int)flags);
    CHECK(cuMemPoolSetAccess(pool, &access, 1));
    CHECK(cuMemPoolGetAccess(&flags, pool, &access.location));
    REQUIRE(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE, "%d", (int)flags);
    CUdeviceptr memory = of_pool(one, pool);
    CHECK(scale(two, memory));
    CHECK(cuCtxSetCurrent(one->context));
    CHECK(cuMemcpyDtoH(seen, memory, sizeof seen));
    REQUIRE(seen[0] == 1 && seen[1] == 10, "%d %d", seen[0], seen[1]);

    /* A context that begins later finds the pool open. */
    CUcontext later;
    CHECK(cuCtxCreate_v2(&later, 0, two->device));
    struct half third = {.device = two->device, .context = later, .scale = kernel(load_kernels(), "scale")};
    CHECK(scale(&third, memory));
    CHECK(cuCtxDestroy(later));

    /* What the program enables itself stays when the pool is closed. */
    CHECK(cuCtxSetCurrent(two->context));
    CHECK(cuCtxEnablePeerAccess(one->context, 0));
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    CHECK(cuMemPoolSetAccess(pool, &access, 1));
    CHECK(scale(two, memory));
    CHECK(cuCtxDisablePeerAccess(one->context));
    CHECK(cuCtxSetCurrent(one->context));
    CHECK(cuMemcpyDtoH(seen, memory, sizeof seen));
    REQUIRE(seen[0] == 13, "%d", seen[0]);
    if (refused)
        EXPECT(scale(two, memory), CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* Memory of one device's pool that is freed in a stream of another one, which was the last to use it. */
static void freed_elsewhere(const struct half *one, const struct half *two)
{
    CUmemoryPool pool;
    CUmemPoolProps wanted;
    CUstream stream;
    uint64_t used;
    int seen[2], count = COUNT;
    CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = two->device}, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    memset(&wanted, 0, sizeof wanted);
    wanted.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location = (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = one->device};
    CHECK(cuMemPoolCreate(&pool, &wanted));
    CHECK(cuMemPoolSetAccess(pool, &access, 1));
    CHECK(cuCtxSetCurrent(two->context));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (int round = 0; round < 20; round++) {
        CUdeviceptr memory = of_pool(one, pool), next;
        CHECK(cuCtxSynchronize());
        CHECK(cuCtxSetCurrent(two->context));
        CHECK(LAUNCH(two->scale, (COUNT + 127) / 128, 128, 0, stream, &memory, &count));
        CHECK(cuMemcpyDtoHAsync(seen, memory, sizeof seen, stream));
        CHECK(cuMemFreeAsync(memory, stream));
        EXPECT(cuMemFreeAsync(memory, stream), CUDA_ERROR_INVALID_VALUE);
        EXPECT(cuMemFreeAsync(memory + 256, stream), CUDA_ERROR_INVALID_VALUE);
        next = of_pool(one, pool); /* its copy must not come before the kernel of the other device */
        CHECK(cuCtxSetCurrent(two->context));
        CHECK(cuStreamSynchronize(stream));
        REQUIRE(seen[0] == 1 && seen[1] == 10, "round %d: %d %d", round, seen[0], seen[1]);
        CHECK(cuMemFreeAsync(next, round % 2 == 0 ? NULL : stream));
        CHECK(cuCtxSynchronize());
    }
    CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    REQUIRE(used == 0, "%llu bytes are in use", (unsigned long long)used);

    /* Whoever freed it ends before anybody waited. */
    CUcontext later;
    CHECK(cuCtxCreate_v2(&later, 0, two->device));
    CUdeviceptr memory = of_pool(one, pool);
    CHECK(cuCtxSetCurrent(later));
    CHECK(cuMemFreeAsync(memory, NULL));
    CHECK(cuCtxDestroy(later));
    memory = of_pool(one, pool);
    CHECK(cuMemFreeAsync(memory, NULL));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemPoolTrimTo(pool, 0));
    CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &used));
    REQUIRE(used == 0, "%llu bytes are kept", (unsigned long long)used);
    CHECK(cuMemPoolDestroy(pool));
    CHECK(cuCtxSetCurrent(two->context));
    CHECK(cuStreamDestroy(stream));
}

int main(int count, char **arguments)
{
    (void)arguments;
    struct half one, two;
    int devices;
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&devices));
    if (devices < 2) {
        printf("ok one device\n");
        return 0;
    }
    begin(&one, 0);
    begin(&two, 1);
    pinned(&one, &two);
    registered(&one, &two);
    freed_elsewhere(&one, &two);
    pools(&one, &two, count > 1);
    printf("ok portable memory\n");
    return 0;
}
