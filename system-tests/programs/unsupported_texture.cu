// A kernel that reads a texture: refused when it is needed; other kernels of the program are, too,
// since they came with it.
// forms: shared static
// stderr: facet: code refused
#include "check.h"

__global__ void read(cudaTextureObject_t texture, float *to)
{
    *to = tex2D<float>(texture, 1.5f, 0.5f);
}

int main()
{
    float *to = device_array<float>(1);
    read<<<1, 1>>>(0, to);
    cudaError_t error = cudaGetLastError();
    REQUIRE(error != cudaSuccess, "the launch went through");
    CHECK(cudaMemset(to, 0, sizeof(float)));
    CHECK(cudaDeviceSynchronize());
    printf("ok refused with %s\n", cudaGetErrorName(error));
    return 0;
}
