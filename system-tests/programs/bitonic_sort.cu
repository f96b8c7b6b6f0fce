// Bitonic sort: many short launches that depend on each other; the inner steps in shared memory.
#include "check.h"

const int BLOCK = 256;

__device__ inline void order(unsigned &a, unsigned &b, bool ascending)
{
    if ((a > b) == ascending) {
        unsigned swap = a;
        a = b;
        b = swap;
    }
}

__global__ void step(unsigned *data, unsigned size, unsigned stride)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ stride;
    if (other > i) {
        order(data[i], data[other], (i & size) == 0);
    }
}

__global__ void steps_in_block(unsigned *data, unsigned size, unsigned stride)
{
    __shared__ unsigned part[BLOCK];
    unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    part[threadIdx.x] = data[i];
    __syncthreads();
    for (; stride > 0; stride /= 2) {
        unsigned other = threadIdx.x ^ stride;
        if (other > threadIdx.x) {
            order(part[threadIdx.x], part[other], (i & size) == 0);
        }
        __syncthreads();
    }
    data[i] = part[threadIdx.x];
}

int main()
{
    const unsigned count = 1 << 15;
    unsigned *data = new unsigned[count];
    uint32_t seed = 99;
    unsigned long long before = 0, after = 0;
    for (unsigned i = 0; i < count; i++) {
        data[i] = next_random(seed);
        before += data[i];
    }
    unsigned *device = device_copy(data, count);
    int launches = 0;
    for (unsigned size = 2; size <= count; size *= 2) {
        unsigned stride = size / 2;
        for (; stride >= BLOCK; stride /= 2, launches++) {
            step<<<count / BLOCK, BLOCK>>>(device, size, stride);
        }
        steps_in_block<<<count / BLOCK, BLOCK>>>(device, size, stride);
        launches++;
    }
    LAUNCHED();
    host_copy(data, device, count);
    for (unsigned i = 0; i < count; i++) {
        REQUIRE(i == 0 || data[i - 1] <= data[i], "element %u is out of order", i);
        after += data[i];
    }
    REQUIRE(before == after, "other elements than before");
    printf("ok %u elements, %d launches\n", count, launches);
    return 0;
}
