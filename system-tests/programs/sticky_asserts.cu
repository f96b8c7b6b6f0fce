// Failed asserts in a kernel: a line on stderr for each thread, whatever block it is in.
// forms: shared static
// stderr: sticky_asserts.cu:13: void check(int): block: [1,0,0], thread: [28,0,0] Assertion `i < most` failed.
// stderr: sticky_asserts.cu:13: void check(int): block: [1,0,0], thread: [31,0,0] Assertion `i < most` failed.
// stderr: sticky_asserts.cu:13: void check(int): block: [2,0,0], thread: [0,0,0] Assertion `i < most` failed.
#include "check.h"

#include <cassert>

__global__ void check(int most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < most);
}

int main()
{
    check<<<3, 32>>>(60);
    EXPECT(cudaDeviceSynchronize(), cudaErrorAssert);
    EXPECT(cudaGetLastError(), cudaErrorAssert);
    printf("ok 710 of each\n");
    return 0;
}
