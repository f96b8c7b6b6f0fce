/* The primary context: one for all, counted, reset. */
#include "check.h"

int main(void)
{
    CUdevice device;
    CUcontext one, two, three;
    unsigned flags = 99;
    int active = 9;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxGetState(device, &flags, &active));
    REQUIRE(active == 0 && flags == 0, "active %d, flags %u", active, flags);
    CHECK(cuDevicePrimaryCtxSetFlags(device, CU_CTX_SCHED_BLOCKING_SYNC));
    CHECK(cuDevicePrimaryCtxRetain(&one, device));
    CHECK(cuDevicePrimaryCtxRetain(&two, device));
    REQUIRE(one == two, "two primary contexts");
    CHECK(cuDevicePrimaryCtxGetState(device, &flags, &active));
    REQUIRE(active == 1 && flags == CU_CTX_SCHED_BLOCKING_SYNC, "active %d, flags %u", active, flags);
    CHECK(cuCtxSetCurrent(one));
    CUdeviceptr memory = allocate(1 << 20);
    size_t before, during, total;
    CHECK(cuMemGetInfo(&during, &total));
    CHECK(cuDevicePrimaryCtxRelease(device));
    CHECK(cuMemsetD8(memory, 1, 1 << 20)); // still held once
    EXPECT(cuCtxDestroy(one), CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuDevicePrimaryCtxRelease(device));
    CHECK(cuDevicePrimaryCtxGetState(device, &flags, &active));
    REQUIRE(active == 0, "active after the last release");
    EXPECT(cuDevicePrimaryCtxRelease(device), CUDA_ERROR_INVALID_CONTEXT);

    CHECK(cuDevicePrimaryCtxRetain(&three, device));
    CHECK(cuCtxSetCurrent(three));
    CHECK(cuMemGetInfo(&before, &total));
    REQUIRE(before >= during + (1 << 20), "memory did not come back: %zu, %zu", during, before);
    allocate(1 << 20);
    CHECK(cuDevicePrimaryCtxReset(device));
    CHECK(cuDevicePrimaryCtxRetain(&three, device));
    CHECK(cuCtxSetCurrent(three));
    CHECK(cuMemGetInfo(&during, &total));
    REQUIRE(during == before, "after the reset: %zu, expected %zu", during, before);
    CHECK(cuDevicePrimaryCtxRelease(device));
    printf("ok primary context\n");
    return 0;
}
