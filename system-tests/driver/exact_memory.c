/* Free memory shrinks by exactly what an allocation takes, whatever call made it, and comes back. NVML says the same. */
/* stderr: its variables need 1 KiB, more than the slice has left */
#include "exact.h"

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
    the_last_bytes();
    printf("ok exact\n");
    return 0;
}
