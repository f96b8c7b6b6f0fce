// cudaLaunchKernelExC and its template, with attributes.
// forms: shared static
#include "check.h"

#include <cooperative_groups.h>

__global__ void fill(int *data, int value)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] = value + blockIdx.x;
}

__global__ void rotate(int *data)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = grid.thread_rank(), value = data[(i + 1) % grid.size()];
    grid.sync();
    data[i] = value;
}

int main()
{
    const int blocks = 4, threads = 64;
    int *data = device_array<int>(blocks * threads), host[blocks * threads], value = 1000;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.stream = stream;
    void *arguments[] = {&data, &value};
    CHECK(cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(fill), arguments));

    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributePriority;
    attributes[1].val.priority = 0;
    config.attrs = attributes;
    config.numAttrs = 2;
    CHECK(cudaLaunchKernelEx(&config, rotate, data));
    CHECK(cudaMemcpyAsync(host, data, sizeof host, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < blocks * threads; i++) {
        int expected = 1000 + (i + 1) % (blocks * threads) / threads;
        REQUIRE(host[i] == expected, "element %d is %d, expected %d", i, host[i], expected);
    }
    // The plain call that every stub uses.
    value = 5;
    CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(fill), dim3(blocks), dim3(threads), arguments, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    host_copy(host, data, 1);
    REQUIRE(host[0] == 5, "first element %d", host[0]);
    EXPECT(cudaLaunchKernelExC(nullptr, reinterpret_cast<const void *>(fill), arguments), cudaErrorInvalidValue);
    cudaGetLastError();
    printf("ok extended launches\n");
    return 0;
}
