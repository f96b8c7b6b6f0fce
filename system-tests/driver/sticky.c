/* A fault ends its context, for good; another context of the same process goes on. */
#include "check.h"

int main(void)
{
    CUdevice device;
    CUcontext broken, sound;
    CUdeviceptr bad = 64, mine, more;
    CUstream stream;
    int value = 5, host = 0;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuCtxCreate_v2(&sound, 0, device));
    CUfunction good_store = kernel(load_kernels(), "store");
    mine = allocate(4);
    CHECK(cuCtxCreate_v2(&broken, 0, device));
    CUfunction bad_store = kernel(load_kernels(), "store");
    CHECK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    CHECK(LAUNCH(bad_store, 1, 1, 0, stream, &bad, &value));
    EXPECT(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(cuMemAlloc(&more, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(LAUNCH(bad_store, 1, 1, 0, stream, &mine, &value), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(cuStreamQuery(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuCtxPopCurrent(NULL));

    CHECK(LAUNCH(good_store, 1, 1, 0, NULL, &mine, &value));
    CHECK(cuMemcpyDtoH(&host, mine, 4));
    REQUIRE(host == 5, "the other context: %d", host);
    CHECK(cuCtxDestroy(broken));
    CHECK(cuCtxCreate_v2(&broken, 0, device)); /* a new one is as good as any */
    mine = allocate(4);
    value = 6;
    CHECK(LAUNCH(kernel(load_kernels(), "store"), 1, 1, 0, NULL, &mine, &value));
    CHECK(cuMemcpyDtoH(&host, mine, 4));
    REQUIRE(host == 6, "a new context: %d", host);
    printf("ok faults stay where they are\n");
    return 0;
}
