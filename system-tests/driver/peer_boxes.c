/* Rows and slices from one device to another: with their contexts, by their addresses alone, and in the order of a stream. */
#include "check.h"

enum { WIDTH = 100, ROWS = 7, SLICES = 3, PITCH = 160, HEIGHT = 9, BYTES = PITCH * HEIGHT * SLICES };

static unsigned char sent[BYTES], received[BYTES];
static CUcontext contexts[2];

static CUdeviceptr filled(int device, const unsigned char *data)
{
    CHECK(cuCtxSetCurrent(contexts[device]));
    CUdeviceptr memory = allocate(BYTES);
    if (data != NULL)
        CHECK(cuMemcpyHtoD(memory, data, BYTES));
    else
        CHECK(cuMemsetD8(memory, 0, BYTES));
    CHECK(cuCtxSynchronize());
    return memory;
}

static CUDA_MEMCPY3D_PEER box(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context)
{
    return (CUDA_MEMCPY3D_PEER){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                .srcDevice = from,
                                .srcContext = from_context,
                                .srcPitch = PITCH,
                                .srcHeight = HEIGHT,
                                .srcXInBytes = 4,
                                .srcY = 1,
                                .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                .dstDevice = to,
                                .dstContext = to_context,
                                .dstPitch = PITCH,
                                .dstHeight = HEIGHT,
                                .dstXInBytes = 12,
                                .dstY = 2,
                                .WidthInBytes = WIDTH,
                                .Height = ROWS,
                                .Depth = SLICES};
}

/* Every byte: those of the rows came from there, all others are as they were. */
static void is_copied(CUdeviceptr memory, int device, const char *what)
{
    CHECK(cuCtxSetCurrent(contexts[device]));
    CHECK(cuMemcpyDtoH(received, memory, BYTES));
    for (int z = 0; z < SLICES; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < PITCH; x++) {
                int at = (z * HEIGHT + y) * PITCH + x;
                bool inside = x >= 12 && x < 12 + WIDTH && y >= 2 && y < 2 + ROWS;
                int expected = inside ? sent[at - PITCH - 8] : 0;
                REQUIRE(received[at] == expected, "%s: slice %d, row %d, byte %d is %d, not %d", what, z, y, x, received[at], expected);
            }
}

int main(void)
{
    CUdevice device;
    int devices;
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&devices));
    if (devices < 2) {
        printf("ok one device\n");
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        CHECK(cuDeviceGet(&device, i));
        CHECK(cuDevicePrimaryCtxRetain(&contexts[i], device));
    }
    for (int i = 0; i < BYTES; i++)
        sent[i] = (unsigned char)(1 + i % 251);

    /* To the current device and from it. */
    CUdeviceptr here = filled(0, sent), there = filled(1, NULL), back = filled(0, NULL);
    CUDA_MEMCPY3D_PEER copy = box(there, contexts[1], here, contexts[0]);
    CHECK(cuMemcpy3DPeer(&copy));
    is_copied(there, 1, "3D to the other");
    CHECK(cuCtxSetCurrent(contexts[1]));
    CHECK(cuMemcpyHtoD(there, sent, BYTES));
    CHECK(cuCtxSetCurrent(contexts[0]));
    copy = box(back, contexts[0], there, contexts[1]);
    CHECK(cuMemcpy3DPeer(&copy));
    is_copied(back, 0, "3D from the other");

    /* By addresses alone; only the first slice. */
    CUdeviceptr rows = filled(1, NULL);
    CHECK(cuCtxSetCurrent(contexts[0]));
    CUDA_MEMCPY2D plane = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .srcDevice = here,
                           .srcPitch = PITCH,
                           .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .dstDevice = rows,
                           .dstPitch = 2 * PITCH,
                           .WidthInBytes = WIDTH,
                           .Height = ROWS};
    CHECK(cuMemcpy2D(&plane));
    CHECK(cuCtxSetCurrent(contexts[1]));
    CHECK(cuMemcpyDtoH(received, rows, BYTES));
    for (int y = 0; y < ROWS; y++)
        REQUIRE(memcmp(received + y * 2 * PITCH, sent + y * PITCH, WIDTH) == 0 && received[y * 2 * PITCH + WIDTH] == 0, "row %d", y);

    /* The call returns while a kernel before it in the stream runs on, and the copy comes behind that. */
    CUdeviceptr late = filled(1, NULL);
    CHECK(cuCtxSetCurrent(contexts[0]));
    CUstream stream;
    int *flag;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuMemHostAlloc((void **)&flag, sizeof *flag, 0));
    *flag = 0;
    CUdeviceptr watched = (CUdeviceptr)(uintptr_t)flag;
    CHECK(LAUNCH(kernel(load_kernels(), "wait_for"), 1, 1, 0, stream, &watched));
    copy = box(late, contexts[1], here, contexts[0]);
    CHECK(cuMemcpy3DPeerAsync(&copy, stream));
    EXPECT(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
    *(volatile int *)flag = 1;
    CHECK(cuStreamSynchronize(stream));
    is_copied(late, 1, "behind a kernel");

    /* What is longer than the memory is told at the call. */
    CHECK(cuCtxSetCurrent(contexts[0]));
    copy = box(there, contexts[1], here, contexts[0]);
    copy.Depth = 1000000;
    EXPECT(cuMemcpy3DPeer(&copy), CUDA_ERROR_INVALID_VALUE);
    copy = box(there, contexts[1], here, contexts[0]);
    copy.srcPitch = SIZE_MAX / 2;
    copy.srcHeight = 7;
    EXPECT(cuMemcpy3DPeer(&copy), CUDA_ERROR_INVALID_VALUE);
    printf("ok peer boxes\n");
    return 0;
}
