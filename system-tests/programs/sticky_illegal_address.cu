// A kernel writes where nothing is: error 700 from there on, in every call of this process.
// forms: shared static
#include "check.h"

__global__ void store(int *to)
{
    *to = 1;
}

int main()
{
    int *good = device_array<int>(1), *more = nullptr;
    store<<<1, 1>>>(good);
    CHECK(cudaDeviceSynchronize());
    store<<<1, 1>>>(reinterpret_cast<int *>(0x10));
    EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EXPECT(cudaPeekAtLastError(), cudaErrorIllegalAddress);
    EXPECT(cudaGetLastError(), cudaErrorIllegalAddress);
    // It does not go away.
    EXPECT(cudaMalloc(&more, 4), cudaErrorIllegalAddress);
    EXPECT(cudaFree(good), cudaErrorIllegalAddress);
    store<<<1, 1>>>(good);
    EXPECT(cudaGetLastError(), cudaErrorIllegalAddress);
    EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    int host;
    EXPECT(cudaMemcpy(&host, good, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
    cudaStream_t stream;
    EXPECT(cudaStreamCreate(&stream), cudaErrorIllegalAddress);
    // What needs no context still answers.
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    REQUIRE(count >= 1, "%d devices", count);
    REQUIRE(cudaGetErrorString(cudaErrorIllegalAddress) != nullptr, "no text");
    printf("ok 700 stays\n");
    return 0;
}
