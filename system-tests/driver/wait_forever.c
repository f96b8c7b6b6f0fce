/* Waits for a kernel that does not end. Not a test by itself: it is told what happens to its daemon,
 * or is killed. Prints the error it gets. */
/* role: helper */
#include "check.h"

int main(void)
{
    open_device();
    CUfunction wait_for = kernel(load_kernels(), "wait_for");
    CUdeviceptr flag = allocate(8 << 20);
    CHECK(cuMemsetD8(flag, 0, 8 << 20));
    CHECK(LAUNCH(wait_for, 1, 1, 0, NULL, &flag));
    printf("waiting\n");
    fflush(stdout);
    CUresult code = cuCtxSynchronize();
    printf("%d\n", (int)code);
    CUdeviceptr more;
    printf("then %d\n", (int)cuMemAlloc(&more, 16));
    return code == CUDA_SUCCESS ? 1 : 0;
}
