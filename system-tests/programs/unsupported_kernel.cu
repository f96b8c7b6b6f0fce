// A kernel with a video instruction: refused when it is needed, and the program goes on.
// forms: shared static
// stderr: scalar video instructions are not supported by this device
#include "check.h"

__global__ void add(const unsigned *a, unsigned *c)
{
    unsigned sum;
    asm("vadd.u32.u32.u32 %0, %1, %2;" : "=r"(sum) : "r"(a[threadIdx.x]), "r"(1u));
    c[threadIdx.x] = sum;
}

int main()
{
    unsigned *a = device_array<unsigned>(256);
    unsigned *c = device_array<unsigned>(256);
    add<<<1, 32>>>(a, c);
    cudaError_t error = cudaGetLastError();
    REQUIRE(error != cudaSuccess, "the launch went through");
    // Memory and everything else still work.
    CHECK(cudaMemset(c, 0, 1024));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(a));
    CHECK(cudaFree(c));
    printf("ok refused with %s\n", cudaGetErrorName(error));
    return 0;
}
