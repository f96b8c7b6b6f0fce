// Prefix sums of a long array: blocks scan their parts, the parts' sums are scanned, then added.
#include "check.h"

const int BLOCK = 256;

__global__ void scan_parts(unsigned *data, unsigned *sums, int count)
{
    __shared__ unsigned values[2][BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x, from = 0;
    values[0][threadIdx.x] = i < count ? data[i] : 0;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        unsigned value = values[from][threadIdx.x];
        if (threadIdx.x >= step) {
            value += values[from][threadIdx.x - step];
        }
        values[1 - from][threadIdx.x] = value;
        from = 1 - from;
        __syncthreads();
    }
    if (i < count) {
        data[i] = values[from][threadIdx.x];
    }
    if (threadIdx.x == BLOCK - 1) {
        sums[blockIdx.x] = values[from][threadIdx.x];
    }
}

__global__ void add_before(unsigned *data, const unsigned *sums, int count)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < count) {
        data[i] += sums[blockIdx.x - 1];
    }
}

void scan(unsigned *data, int count)
{
    int blocks = (count + BLOCK - 1) / BLOCK;
    unsigned *sums = device_array<unsigned>(blocks);
    scan_parts<<<blocks, BLOCK>>>(data, sums, count);
    LAUNCHED();
    if (blocks > 1) {
        scan(sums, blocks);
        add_before<<<blocks, BLOCK>>>(data, sums, count);
        LAUNCHED();
    }
    CHECK(cudaFree(sums));
}

int main()
{
    const int count = 150001;
    unsigned *data = new unsigned[count], *result = new unsigned[count];
    uint32_t seed = 3;
    for (int i = 0; i < count; i++) {
        data[i] = next_random(seed);
    }
    unsigned *device = device_copy(data, count);
    scan(device, count);
    host_copy(result, device, count);
    unsigned sum = 0;
    for (int i = 0; i < count; i++) {
        sum += data[i];
        REQUIRE(result[i] == sum, "element %d is %u, expected %u", i, result[i], sum);
    }
    printf("ok %d prefix sums, last %u\n", count, sum);
    return 0;
}
