/* Access without a right to memory that is mapped: by kernels, copies and fills. */
#include "mapped.h"

/* What has no right to be done is an illegal address; afterwards the context is of no use. */
static void without_right(CUmemAccess_flags flags, bool by_copy)
{
    CUcontext context;
    CHECK(cuCtxCreate_v2(&context, 0, 0));
    CUfunction store = kernel(load_kernels(), "store");
    CUdeviceptr range = reserve(GRANULE);
    CUmemGenericAllocationHandle handle = create(GRANULE);
    CHECK(cuMemMap(range, GRANULE, 0, handle, 0));
    CHECK(allow(range, GRANULE, flags));
    int value = 3;
    if (flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
        CHECK(cuMemcpyDtoH(&value, range, sizeof value));
    if (by_copy)
        cuMemcpyHtoDAsync(range, &value, sizeof value, NULL);
    else
        CHECK(LAUNCH(store, 1, 1, 0, NULL, &range, &value));
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuMemUnmap(range, GRANULE));
    CHECK(cuMemRelease(handle));
    CHECK(cuMemAddressFree(range, GRANULE));
    CHECK(cuCtxDestroy(context));
}

int main(void)
{
    int there = 0;
    open_device();
    CHECK(cuDeviceGetAttribute(&there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    for (int i = 0; there && i < 4; i++)
        without_right(i < 2 ? CU_MEM_ACCESS_FLAGS_PROT_READ : CU_MEM_ACCESS_FLAGS_PROT_NONE, i % 2);
    printf("ok %s\n", there ? "without rights" : "not on this device");
    return 0;
}
