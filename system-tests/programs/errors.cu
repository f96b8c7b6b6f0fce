// Errors that pass: told at the call, remembered once, and the device goes on.
// forms: shared static
#include "check.h"

__global__ void increment(int *value)
{
    atomicAdd(value, 1);
}

int main()
{
    int *value = device_array<int>(1), host = 0;
    CHECK(cudaMemset(value, 0, sizeof(int)));
    // Wrong launches.
    increment<<<1, 2048>>>(value);
    EXPECT(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
    EXPECT(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError(), cudaSuccess); // told once
    increment<<<1, 0>>>(value);
    EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
    increment<<<0, 32>>>(value);
    EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
    increment<<<dim3(1, 70000), 32>>>(value);
    EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
    increment<<<1, dim3(1, 1, 65)>>>(value);
    EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
    // Memory.
    void *pointer = reinterpret_cast<void *>(1);
    EXPECT(cudaMalloc(&pointer, size_t(1) << 50), cudaErrorMemoryAllocation);
    increment<<<1, 1>>>(value); // success does not clear the error
    EXPECT(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError(), cudaSuccess);
    EXPECT(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
    EXPECT(cudaFree(&host), cudaErrorInvalidValue);
    int *freed = device_array<int>(1);
    CHECK(cudaFree(freed));
    EXPECT(cudaFree(freed), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(nullptr, &host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(value, &host, 4, static_cast<cudaMemcpyKind>(17)), cudaErrorInvalidMemcpyDirection);
    EXPECT(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
    EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
    // A function that is no kernel.
    EXPECT(cudaLaunchKernel(reinterpret_cast<const void *>(&main), dim3(1), dim3(1), nullptr, 0, nullptr), cudaErrorInvalidDeviceFunction);
    cudaGetLastError();
    // All of that left no trace.
    increment<<<2, 32>>>(value);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    host_copy(&host, value, 1);
    REQUIRE(host == 65, "value %d", host);
    printf("ok errors pass\n");
    return 0;
}
