// A failed assert in a kernel: error 710, its line on stderr.
// forms: shared static
// stderr: sticky_assert.cu:10: void check(int): block: [2,0,0], thread: [7,0,0] Assertion `threadIdx.x != 7 || blockIdx.x != limit` failed.
#include "check.h"

#include <cassert>

__global__ void check(int limit)
{
    assert(threadIdx.x != 7 || blockIdx.x != limit);
}

int main()
{
    check<<<2, 32>>>(2);
    CHECK(cudaDeviceSynchronize()); // holds
    check<<<3, 32>>>(2);
    EXPECT(cudaDeviceSynchronize(), cudaErrorAssert);
    EXPECT(cudaGetLastError(), cudaErrorAssert);
    void *more;
    EXPECT(cudaMalloc(&more, 4), cudaErrorAssert);
    printf("ok 710 stays\n");
    return 0;
}
