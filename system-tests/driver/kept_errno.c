/* errno is the program's: no call changes it, whether it succeeds or fails. */
#include "check.h"

#include <errno.h>

enum { MINE = 4711 };

#define KEEPS(call)                                     \
    do {                                                \
        errno = MINE;                                   \
        CUresult result_ = (call);                      \
        REQUIRE(errno == MINE, #call " changes errno"); \
        (void)result_;                                  \
    } while (0)

int main(void)
{
    CUdevice device = 0;
    CUcontext context;
    CUdeviceptr pointer = 0;
    CUstream stream;
    int value;
    char data[64] = {0};
    KEEPS(cuInit(0));
    KEEPS(cuDeviceGet(&device, 0));
    KEEPS(cuDeviceGet(&device, 99));
    KEEPS(cuDriverGetVersion(&value));
    CHECK(cuDeviceGet(&device, 0));
    KEEPS(cuCtxCreate_v2(&context, 0, device));
    KEEPS(cuMemAlloc(&pointer, (size_t)1 << 50));
    KEEPS(cuMemAlloc(&pointer, 1 << 20));
    REQUIRE(pointer != 0, "no memory");
    KEEPS(cuMemcpyHtoD(pointer, data, sizeof data));
    KEEPS(cuStreamCreate(&stream, 0));
    KEEPS(cuMemsetD8Async(pointer, 1, 1 << 20, stream));
    KEEPS(cuStreamSynchronize(stream));
    KEEPS(cuModuleUnload(NULL));
    KEEPS(cuCtxSynchronize());
    KEEPS(cuMemFree(pointer));
    KEEPS(cuMemFree(pointer + 1));
    KEEPS(cuCtxDestroy(context));
    puts("ok");
    return 0;
}
