/* A program over two devices: memory that both reach, copies between them, and access of kernels to each other's
 * memory. With an argument the access that nobody allowed. */
#include "check.h"

enum { COUNT = 3000, BYTES = COUNT * sizeof(float) };

struct half {
    CUdevice device;
    CUcontext context;
    CUfunction add;
    CUdeviceptr a, b, c;
};

static void begin(struct half *half, int ordinal)
{
    CHECK(cuDeviceGet(&half->device, ordinal));
    CHECK(cuDevicePrimaryCtxRetain(&half->context, half->device));
    CHECK(cuCtxSetCurrent(half->context));
    half->add = kernel(load_kernels(), "add");
    half->a = allocate(BYTES);
    half->b = allocate(BYTES);
    half->c = allocate(BYTES);
}

static CUresult run(const struct half *half, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c)
{
    int count = COUNT;
    CHECK(cuCtxSetCurrent(half->context));
    CUresult result = LAUNCH(half->add, (COUNT + 127) / 128, 128, 0, NULL, &a, &b, &c, &count);
    return result == CUDA_SUCCESS ? cuCtxSynchronize() : result;
}

static void is_sum(const float *values, float first, const char *what)
{
    for (int i = 0; i < COUNT; i++)
        REQUIRE(values[i] == first + 3 * (float)i, "%s: element %d is %g", what, i, (double)values[i]);
}

int main(int count, char **arguments)
{
    (void)arguments;
    struct half one, two;
    int devices, can = 9;
    static float x[COUNT], y[COUNT], z[COUNT];
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&devices));
    if (devices < 2) {
        printf("ok one device\n");
        return 0;
    }
    begin(&one, 0);
    begin(&two, 1);
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)i;
        y[i] = (float)(2 * i);
    }
    CHECK(cuMemcpyHtoD(two.a, x, BYTES));
    CHECK(cuMemcpyHtoD(two.b, y, BYTES));
    if (count > 1) {
        /* Not enabled: the other device's memory is none of its own. */
        EXPECT(run(&one, two.a, two.b, one.c), CUDA_ERROR_ILLEGAL_ADDRESS);
        CHECK(run(&two, two.a, two.b, two.c));
        printf("ok refused\n");
        return 0;
    }

    /* Pinned and managed memory is every device's. */
    float *pinned;
    CUdeviceptr managed;
    CHECK(cuCtxSetCurrent(one.context));
    CHECK(cuMemHostAlloc((void **)&pinned, BYTES, CU_MEMHOSTALLOC_PORTABLE));
    CHECK(cuMemAllocManaged(&managed, BYTES, CU_MEM_ATTACH_GLOBAL));
    for (int i = 0; i < COUNT; i++)
        pinned[i] = 100 + (float)i;
    CHECK(run(&two, (CUdeviceptr)(uintptr_t)pinned, two.b, managed));
    is_sum((const float *)(uintptr_t)managed, 100, "managed");
    CHECK(run(&one, managed, managed, (CUdeviceptr)(uintptr_t)pinned));
    REQUIRE(pinned[1] == 2 * 103, "%g", (double)pinned[1]);

    /* Copies between the devices: with their contexts, by their addresses alone, in a stream. */
    CHECK(cuMemcpyPeer(one.a, one.context, two.a, two.context, BYTES));
    CHECK(cuMemcpy(one.b, two.b, BYTES));
    CHECK(run(&one, one.a, one.b, one.c));
    CHECK(cuMemcpyDtoH(z, one.c, BYTES));
    is_sum(z, 0, "copied");
    CUstream stream;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuMemsetD8(one.c, 0, BYTES));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyPeerAsync(two.c, two.context, one.a, one.context, BYTES, stream));
    CHECK(cuMemcpyPeerAsync(one.c, one.context, two.c, two.context, BYTES, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyDtoH(z, one.c, BYTES));
    REQUIRE(memcmp(x, z, BYTES) == 0, "it is not what it was");

    /* Kernels of one device in memory of the other. */
    CHECK(cuDeviceCanAccessPeer(&can, one.device, one.device));
    REQUIRE(can == 0, "a device is not its own peer");
    CHECK(cuDeviceCanAccessPeer(&can, one.device, two.device));
    REQUIRE(can == 1, "%d", can);
    CHECK(cuCtxSetCurrent(one.context));
    EXPECT(cuCtxDisablePeerAccess(two.context), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    EXPECT(cuCtxEnablePeerAccess(one.context, 0), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxEnablePeerAccess(two.context, 1), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuCtxEnablePeerAccess(two.context, 0));
    EXPECT(cuCtxEnablePeerAccess(two.context, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    CHECK(run(&one, two.a, two.b, two.c));
    CHECK(cuMemcpyDtoH(z, two.c, BYTES));
    is_sum(z, 0, "peer");
    CHECK(cuCtxSetCurrent(two.context));
    CUdeviceptr later = allocate(BYTES);
    CHECK(run(&one, two.a, two.b, later));
    CHECK(cuMemcpyDtoH(z, later, BYTES));
    is_sum(z, 0, "allocated later");
    CHECK(cuCtxDisablePeerAccess(two.context));

    /* Without the other one the first still works. */
    CHECK(cuDevicePrimaryCtxRelease(two.device));
    CHECK(run(&one, one.a, one.b, one.c));
    printf("ok two devices\n");
    return 0;
}
