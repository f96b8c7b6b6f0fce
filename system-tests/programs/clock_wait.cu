// Threads and blocks that wait for a moment by a clock wait together, not one after the other.
#include "check.h"

__global__ void wait_for(long long nanoseconds, long long *begins, long long *ends)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long begin = clock64(), now = begin;
    begins[i] = begin;
    while (now - begin < nanoseconds) {
        now = clock64();
    }
    ends[i] = now;
}

// How many of them began before the one before them had ended.
static int count_together(int blocks, int threads, long long nanoseconds)
{
    const int most = 4096;
    static long long begin[most], end[most];
    int count = blocks * threads, together = 0;
    long long *begins = device_array<long long>(count), *ends = device_array<long long>(count);
    wait_for<<<blocks, threads>>>(nanoseconds, begins, ends);
    LAUNCHED();
    host_copy(begin, begins, count);
    host_copy(end, ends, count);
    for (int i = 0; i < count; i++) {
        REQUIRE(end[i] - begin[i] >= nanoseconds, "%d waited for %lld of %lld", i, end[i] - begin[i], nanoseconds);
    }
    for (int i = 1; i < count; i++) {
        together += begin[i] < end[i - 1];
    }
    CHECK(cudaFree(begins));
    CHECK(cudaFree(ends));
    return together;
}

int main()
{
    // The bounds are generous: who is kept from its core meanwhile may find the moment gone.
    int threads = count_together(4, 512, 2000000);
    REQUIRE(threads > 1024, "%d of 2048 threads began while the one before them waited", threads);
    int blocks = count_together(64, 1, 5000000);
    REQUIRE(blocks > 32, "%d of 64 blocks began while the one before them waited", blocks);
    printf("ok\n");
    return 0;
}
