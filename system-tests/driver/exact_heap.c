/* The kernels' heap is a part of the slice's memory from when it is used, to the byte; where there is no room for it malloc is NULL. */
#include "exact.h"

PTX(heap, "heap.ptx");

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

int main(void)
{
    open_device();
    open_nvml();
    before = available();
    the_heap();
    printf("ok exact\n");
    return 0;
}
