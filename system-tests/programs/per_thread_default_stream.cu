// Compiled for per-thread default streams: a thread's default stream does not wait for another's.
// forms: shared static
// flags: -default-stream per-thread
#include "check.h"

#include <thread>

__global__ void wait_for(volatile int *flag)
{
    while (*flag == 0) {
    }
}

__global__ void store(int *to, int value)
{
    *to = value;
}

int main()
{
    int *flag, *values = device_array<int>(2), host = 0;
    CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
    *flag = 0;
    wait_for<<<1, 1>>>(flag); // this thread's default stream is held up
    LAUNCHED();
    std::thread other([&] {
        store<<<1, 1>>>(values, 7);
        LAUNCHED();
        CHECK(cudaStreamSynchronize(0));
        CHECK(cudaMemcpyAsync(&host, values, sizeof host, cudaMemcpyDeviceToHost));
        CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    });
    other.join();
    REQUIRE(host == 7, "the other thread got %d", host);
    EXPECT(cudaStreamQuery(0), cudaErrorNotReady);
    *static_cast<volatile int *>(flag) = 1;
    CHECK(cudaStreamSynchronize(0));

    // Waits for this thread's default stream alone, then the copy is in order.
    store<<<1, 1>>>(values + 1, 8);
    CHECK(cudaMemcpy(&host, values + 1, sizeof host, cudaMemcpyDeviceToHost));
    REQUIRE(host == 8, "got %d", host);
    // The legacy stream still synchronises with per-thread ones.
    store<<<1, 1>>>(values, 9);
    store<<<1, 1, 0, cudaStreamLegacy>>>(values, 10);
    CHECK(cudaStreamSynchronize(cudaStreamLegacy));
    CHECK(cudaMemcpy(&host, values, sizeof host, cudaMemcpyDeviceToHost));
    REQUIRE(host == 10, "legacy: %d", host);
    printf("ok per thread\n");
    return 0;
}
