// Sum and maximum of an array: warp shuffles, shared memory, one atomic a block.
#include "check.h"

__device__ long long warp_sum(long long value)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    return value;
}

__global__ void reduce(const int *data, int count, unsigned long long *sum, int *maximum)
{
    __shared__ long long sums[32];
    __shared__ int largest;
    if (threadIdx.x == 0) {
        largest = INT_MIN;
    }
    __syncthreads();
    long long mine = 0;
    int most = INT_MIN;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        mine += data[i];
        most = max(most, data[i]);
    }
    atomicMax(&largest, most);
    mine = warp_sum(mine);
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = mine;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = warp_sum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0);
        if (threadIdx.x == 0) {
            atomicAdd(sum, static_cast<unsigned long long>(mine));
            atomicMax(maximum, largest);
        }
    }
}

int main()
{
    const int count = 300000;
    int *data = new int[count];
    uint32_t seed = 7;
    long long expected = 0;
    int most = INT_MIN;
    for (int i = 0; i < count; i++) {
        data[i] = static_cast<int>(next_random(seed));
        expected += data[i];
        most = data[i] > most ? data[i] : most;
    }
    int *device = device_copy(data, count), *maximum = device_array<int>(1);
    unsigned long long *sum = device_array<unsigned long long>(1);
    CHECK(cudaMemset(sum, 0, sizeof *sum));
    CHECK(cudaMemset(maximum, 0x80, sizeof *maximum)); // a large negative number
    reduce<<<24, 256>>>(device, count, sum, maximum);
    LAUNCHED();
    unsigned long long total;
    int found;
    host_copy(&total, sum, 1);
    host_copy(&found, maximum, 1);
    REQUIRE(static_cast<long long>(total) == expected, "sum %lld, expected %lld", static_cast<long long>(total), expected);
    REQUIRE(found == most, "maximum %d, expected %d", found, most);
    printf("ok sum %lld maximum %d\n", expected, most);
    return 0;
}
