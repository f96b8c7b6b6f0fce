// __trap() in a kernel: error 719.
// forms: shared static
#include "check.h"

__global__ void trap_at(int thread)
{
    if (threadIdx.x == thread) {
        __trap();
    }
}

int main()
{
    trap_at<<<1, 32>>>(32);
    CHECK(cudaDeviceSynchronize());
    trap_at<<<1, 32>>>(5);
    EXPECT(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    EXPECT(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    printf("ok 719 stays\n");
    return 0;
}
