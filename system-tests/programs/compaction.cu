// Keeps the elements that a test accepts, in order: ballots, warp sums, a decoupled running total.
#include "check.h"

#include <vector>

const int BLOCK = 128;

__device__ __host__ inline bool wanted(unsigned value)
{
    return value % 5 < 2;
}

// Blocks wait for the total of the block before them: forward progress between blocks is needed.
__global__ void compact(const unsigned *from, int count, unsigned *to, volatile int *totals, unsigned *tickets)
{
    __shared__ int warps[BLOCK / 32], before;
    __shared__ unsigned ticket;
    if (threadIdx.x == 0) {
        ticket = atomicAdd(tickets, 1u);
    }
    __syncthreads();
    int i = ticket * BLOCK + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool keep = i < count && wanted(from[i]);
    unsigned votes = __ballot_sync(0xffffffffu, keep);
    if (lane == 0) {
        warps[warp] = __popc(votes);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int w = 0; w < BLOCK / 32; w++) {
            int mine = warps[w];
            warps[w] = sum;
            sum += mine;
        }
        int start = 0;
        if (ticket > 0) {
            while ((start = totals[ticket - 1]) < 0) {
            }
        }
        before = start;
        totals[ticket] = start + sum;
        __threadfence();
    }
    __syncthreads();
    if (keep) {
        to[before + warps[warp] + __popc(votes & ((1u << lane) - 1))] = from[i];
    }
}

int main()
{
    const int count = 20011, blocks = (count + BLOCK - 1) / BLOCK;
    std::vector<unsigned> from(count), to(count), expected;
    uint32_t seed = 41;
    for (unsigned &value : from) {
        value = next_random(seed);
        if (wanted(value)) {
            expected.push_back(value);
        }
    }
    unsigned *f = device_copy(from.data(), count), *t = device_array<unsigned>(count), *tickets = device_array<unsigned>(1);
    int *totals = device_array<int>(blocks), kept;
    CHECK(cudaMemset(totals, 0xff, blocks * sizeof(int)));
    CHECK(cudaMemset(tickets, 0, sizeof(unsigned)));
    compact<<<blocks, BLOCK>>>(f, count, t, totals, tickets);
    LAUNCHED();
    host_copy(&kept, totals + blocks - 1, 1);
    REQUIRE(kept == static_cast<int>(expected.size()), "%d kept, expected %zu", kept, expected.size());
    host_copy(to.data(), t, kept);
    for (int i = 0; i < kept; i++) {
        REQUIRE(to[i] == expected[i], "element %d is %u, expected %u", i, to[i], expected[i]);
    }
    printf("ok %d of %d kept\n", kept, count);
    return 0;
}
