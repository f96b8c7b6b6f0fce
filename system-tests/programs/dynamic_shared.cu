// Dynamic shared memory, below and above 48 KiB.
#include "check.h"

__global__ void reverse(int *data, int count)
{
    extern __shared__ int memory[];
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        memory[i] = data[blockIdx.x * count + i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        data[blockIdx.x * count + i] = memory[count - 1 - i];
    }
}

void run(int count, int blocks)
{
    int *host = new int[count * blocks], *device;
    for (int i = 0; i < count * blocks; i++) {
        host[i] = i;
    }
    device = device_copy(host, count * blocks);
    reverse<<<blocks, 256, count * sizeof(int)>>>(device, count);
    LAUNCHED();
    host_copy(host, device, count * blocks);
    for (int i = 0; i < count * blocks; i++) {
        int expected = i / count * count + count - 1 - i % count;
        REQUIRE(host[i] == expected, "%d: element %d is %d, expected %d", count, i, host[i], expected);
    }
    CHECK(cudaFree(device));
    delete[] host;
}

int main()
{
    run(100, 5);
    run(48 * 256, 3); // exactly 48 KiB
    int most = 0;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    REQUIRE(most >= 64 * 1024, "at most %d bytes", most);
    int *device = device_array<int>(16);
    reverse<<<1, 32, 60000>>>(device, 16); // not asked for before
    EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
    const void *kernel = reinterpret_cast<const void *>(reverse);
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    run(15000, 2);
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    run(most / 4, 2);
    EXPECT(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1), cudaErrorInvalidValue);
    EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
    CHECK(cudaDeviceSynchronize());
    printf("ok up to the opt-in limit\n");
    return 0;
}
