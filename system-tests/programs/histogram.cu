// Byte histogram: atomics in shared memory, then in global memory.
#include "check.h"

__global__ void count_bytes(const unsigned char *data, int count, unsigned *bins)
{
    __shared__ unsigned mine[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        mine[i] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        atomicAdd(&mine[data[i]], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        atomicAdd(&bins[i], mine[i]);
    }
}

int main()
{
    const int count = 400000;
    unsigned char *data = new unsigned char[count];
    unsigned expected[256] = {}, bins[256];
    uint32_t seed = 5;
    for (int i = 0; i < count; i++) {
        uint32_t r = next_random(seed);
        data[i] = static_cast<unsigned char>((r & 0xff) * ((r >> 8) & 0xff) >> 8); // not uniform
        expected[data[i]]++;
    }
    unsigned char *device = device_copy(data, count);
    unsigned *counts = device_array<unsigned>(256);
    CHECK(cudaMemset(counts, 0, sizeof bins));
    count_bytes<<<32, 192>>>(device, count, counts);
    LAUNCHED();
    host_copy(bins, counts, 256);
    for (int i = 0; i < 256; i++) {
        REQUIRE(bins[i] == expected[i], "bin %d has %u, expected %u", i, bins[i], expected[i]);
    }
    printf("ok %d bytes\n", count);
    return 0;
}
