// What this device does not have is refused with error 801, and the program goes on.
// forms: shared static
// stderr: is not supported; it answers so
#include "check.h"

__global__ void store(int *to)
{
    *to = 5;
}

int main()
{
    int *device = device_array<int>(1), host = 0;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaExternalMemory_t memory;
    cudaExternalMemoryHandleDesc description = {};
    EXPECT(cudaImportExternalMemory(&memory, &description), cudaErrorNotSupported);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(32);
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {2, 1, 1};
    config.attrs = &cluster;
    config.numAttrs = 1;
    EXPECT(cudaLaunchKernelEx(&config, store, device), cudaErrorNotSupported);
    cudaGetLastError();

    store<<<1, 1, 0, stream>>>(device);
    LAUNCHED();
    CHECK(cudaStreamSynchronize(stream));
    host_copy(&host, device, 1);
    REQUIRE(host == 5, "value %d", host);
    printf("ok refused\n");
    return 0;
}
