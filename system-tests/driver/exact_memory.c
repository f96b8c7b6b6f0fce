/* Free memory shrinks by exactly what an allocation takes, whatever call made it, and comes back. NVML says the same. */
/* stderr: its variables need 1 KiB, more than the slice has left */
#include "check.h"

#include <dlfcn.h>

PTX(heap, "heap.ptx");

struct nvml_memory {
    unsigned long long total, free, used;
};

static struct {
    void *library, *device;
    int (*memory)(void *, struct nvml_memory *);
} nvml;

static void open_nvml(void)
{
    nvml.library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    REQUIRE(nvml.library != NULL, "%s", dlerror());
    int (*start)(void) = (int (*)(void))dlsym(nvml.library, "nvmlInit_v2");
    int (*find)(unsigned, void **) = (int (*)(unsigned, void **))dlsym(nvml.library, "nvmlDeviceGetHandleByIndex_v2");
    nvml.memory = (int (*)(void *, struct nvml_memory *))dlsym(nvml.library, "nvmlDeviceGetMemoryInfo");
    REQUIRE(start() == 0 && find(0, &nvml.device) == 0, "NVML does not start");
}

static size_t available(void)
{
    size_t bytes, total, device_total;
    struct nvml_memory seen;
    CHECK(cuMemGetInfo(&bytes, &total));
    CHECK(cuDeviceTotalMem(&device_total, 0));
    REQUIRE(nvml.memory(nvml.device, &seen) == 0, "NVML");
    REQUIRE(total == device_total && seen.total == total, "total %zu, %zu, %llu", total, device_total, seen.total);
    REQUIRE(seen.free == bytes && seen.used == total - bytes, "free %zu, NVML says %llu", bytes, seen.free);
    return bytes;
}

static size_t before;

/* Compares with what was free before, and remembers. */
static void took(const char *what, long long bytes)
{
    size_t now = available();
    REQUIRE((long long)(before - now) == bytes, "%s: %lld bytes, not %lld", what, (long long)(before - now), bytes);
    before = now;
}

static void plain(void)
{
    const size_t sizes[] = {1, 256, 257, 4096, 65537, 2 << 20, (8 << 20) + 1};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CUdeviceptr pointer;
        long long real = (long long)((sizes[i] + 255) / 256 * 256);
        CHECK(cuMemAlloc(&pointer, sizes[i]));
        took("cuMemAlloc", real);
        CHECK(cuMemFree(pointer));
        took("cuMemFree", -real);
        CHECK(cuMemAllocManaged(&pointer, sizes[i], CU_MEM_ATTACH_GLOBAL));
        took("cuMemAllocManaged", real);
        CHECK(cuMemFree(pointer));
        took("cuMemFree", -real);
        CHECK(cuMemAllocAsync(&pointer, sizes[i], NULL));
        took("cuMemAllocAsync", real);
        CHECK(cuMemFreeAsync(pointer, NULL));
        CHECK(cuCtxSynchronize());
        took("cuMemFreeAsync", -real);
    }
}

static void pitched(void)
{
    CUdeviceptr pointer;
    size_t pitch;
    CHECK(cuMemAllocPitch(&pointer, &pitch, 1000, 77, 4));
    took("cuMemAllocPitch", (long long)pitch * 77);
    CHECK(cuMemFree(pointer));
    took("cuMemFree", -(long long)pitch * 77);
}

static void pooled(void)
{
    CUmemoryPool pool;
    CUdeviceptr pointer;
    CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    uint64_t keep = UINT64_MAX;
    CHECK(cuMemPoolCreate(&pool, &properties));
    CHECK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
    CHECK(cuMemAllocFromPoolAsync(&pointer, 3 << 20, pool, NULL));
    took("cuMemAllocFromPoolAsync", 3 << 20);
    CHECK(cuMemFreeAsync(pointer, NULL));
    CHECK(cuCtxSynchronize());
    took("what the pool keeps", 0);
    CHECK(cuMemPoolTrimTo(pool, 0));
    took("cuMemPoolTrimTo", -(3 << 20));
    CHECK(cuMemPoolDestroy(pool));
    took("cuMemPoolDestroy", 0);
}

static void host(void)
{
    void *pointer, *own = aligned_alloc(4096, 1 << 20);
    CHECK(cuMemHostAlloc(&pointer, 4 << 20, CU_MEMHOSTALLOC_DEVICEMAP));
    took("cuMemHostAlloc", 0);
    CHECK(cuMemFreeHost(pointer));
    CHECK(cuMemAllocHost(&pointer, 4 << 20));
    took("cuMemAllocHost", 0);
    CHECK(cuMemFreeHost(pointer));
    CHECK(cuMemHostRegister(own, 1 << 20, CU_MEMHOSTREGISTER_DEVICEMAP));
    took("cuMemHostRegister", 0);
    CHECK(cuMemHostUnregister(own));
    took("cuMemHostUnregister", 0);
    free(own);
}

static void arrays(void)
{
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR line = {.Width = 1000, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    CHECK(cuArrayCreate(&array, &line));
    took("an array of one row", 4096);
    CHECK(cuArrayDestroy(array));
    took("cuArrayDestroy", -4096);
    CUDA_ARRAY3D_DESCRIPTOR box = {.Width = 100, .Height = 20, .Depth = 5, .Format = CU_AD_FORMAT_UNSIGNED_INT16, .NumChannels = 4};
    CHECK(cuArray3DCreate(&array, &box));
    took("an array of boxes", 1024 * 20 * 5);
    CHECK(cuArrayDestroy(array));
    took("cuArrayDestroy", -1024 * 20 * 5);
    box.Width = (size_t)1 << 40;
    EXPECT(cuArray3DCreate(&array, &box), CUDA_ERROR_INVALID_VALUE);
    took("an array beyond the limits", 0);
    box.Width = box.Height = 16384;
    box.Depth = 64;
    EXPECT(cuArray3DCreate(&array, &box), CUDA_ERROR_OUT_OF_MEMORY);
    took("an array that is too large", 0);
}

/* Three variables, and the text that a kernel prints. */
static void variables(void)
{
    CUmodule module;
    CHECK(cuModuleLoadData(&module, kernels));
    took("variables of a module", 4 * 256);
    CHECK(cuModuleUnload(module));
    took("cuModuleUnload", -4 * 256);
}

static void the_heap(void)
{
    CUcontext context;
    CUmodule module;
    size_t size = 0;
    CHECK(cuCtxGetLimit(&size, CU_LIMIT_MALLOC_HEAP_SIZE));
    REQUIRE(size == 8 << 20, "a heap of %zu bytes", size);
    CHECK(cuCtxCreate_v2(&context, 0, 0));
    CHECK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 3 << 20));
    CHECK(cuModuleLoadData(&module, heap));
    CUfunction take = kernel(module, "take_from_heap");
    CUdeviceptr out = allocate(256);
    took("before the heap is used", 256);
    unsigned long long bytes = 1 << 20, address = 0;
    CHECK(LAUNCH(take, 1, 1, 0, NULL, &out, &bytes));
    CHECK(cuMemcpyDtoH(&address, out, 8));
    REQUIRE(address != 0, "malloc is NULL");
    took("the heap", 3 << 20);
    EXPECT(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 4 << 20), CUDA_ERROR_INVALID_VALUE);
    bytes = 3 << 20;
    CHECK(LAUNCH(take, 1, 1, 0, NULL, &out, &bytes));
    CHECK(cuMemcpyDtoH(&address, out, 8));
    REQUIRE(address == 0, "more than the heap has");
    CHECK(cuCtxDestroy(context));
    took("the end of a context", -(3 << 20) - 256);

    /* Where the slice has no room for it, malloc is NULL and all the rest works. */
    CHECK(cuCtxCreate_v2(&context, 0, 0));
    CHECK(cuModuleLoadData(&module, heap));
    take = kernel(module, "take_from_heap");
    CUdeviceptr all = allocate(available() - 4096);
    out = allocate(256);
    bytes = 8;
    CHECK(LAUNCH(take, 1, 1, 0, NULL, &out, &bytes));
    CHECK(cuMemcpyDtoH(&address, out, 8));
    REQUIRE(address == 0, "a heap that does not fit");
    CHECK(cuMemFree(all));
    CHECK(LAUNCH(take, 1, 1, 0, NULL, &out, &bytes));
    CHECK(cuMemcpyDtoH(&address, out, 8));
    REQUIRE(address != 0, "malloc is NULL although there is room");
    CHECK(cuCtxDestroy(context));
    took("the end of a context", 0);
}

/* To the last byte, and beyond it the error that leaves everything as it was. */
static void the_last_bytes(void)
{
    CUdeviceptr all, more;
    size_t whole = before;
    CHECK(cuMemAlloc(&all, whole));
    took("all", (long long)whole);
    REQUIRE(before == 0, "%zu bytes are left", before);
    EXPECT(cuMemAlloc(&more, 1), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemAllocManaged(&more, 1, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemAllocAsync(&more, 1, NULL), CUDA_ERROR_OUT_OF_MEMORY);
    CUmodule module;
    EXPECT(cuModuleLoadData(&module, kernels), CUDA_ERROR_OUT_OF_MEMORY);
    took("what was refused", 0);
    CHECK(cuMemsetD8(all + whole - 1, 1, 1));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemFree(all));
    took("all", -(long long)whole);
}

int main(void)
{
    open_device();
    open_nvml();
    before = available();
    plain();
    pitched();
    pooled();
    host();
    arrays();
    variables();
    the_heap();
    the_last_bytes();
    printf("ok exact\n");
    return 0;
}
