// The legacy default stream waits for blocking streams and they for it; non-blocking ones do not.
#include "check.h"

__global__ void slow_store(int *to, int value, int rounds)
{
    unsigned mix = value;
    for (int r = 0; r < rounds; r++) {
        mix = mix * 1664525u + 1013904223u;
    }
    *to = value + (mix == 12345 ? 1 : 0);
}

__global__ void slow_copy(const int *from, int *to, int rounds)
{
    unsigned mix = 1;
    for (int r = 0; r < rounds; r++) {
        mix = mix * 1664525u + 1013904223u;
    }
    *to = *from + (mix == 12345 ? 1 : 0);
}

__global__ void wait_for(volatile int *flag)
{
    while (*flag == 0) {
    }
}

int main()
{
    cudaStream_t a, b, independent;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaStreamCreateWithFlags(&independent, cudaStreamNonBlocking));
    int *values = device_array<int>(3), host[3], *flag;
    for (int round = 1; round <= 30; round++) {
        slow_store<<<1, 1, 0, a>>>(values, round, 20000);
        slow_copy<<<1, 1>>>(values, values + 1, 10000);           // after a
        slow_copy<<<1, 1, 0, b>>>(values + 1, values + 2, 1000);  // after the default stream
        slow_store<<<1, 1, 0, cudaStreamLegacy>>>(values + 1, -1, 0); // after b
        LAUNCHED();
        host_copy(host, values, 3);
        REQUIRE(host[0] == round && host[1] == -1 && host[2] == round, "round %d: %d %d %d", round, host[0], host[1], host[2]);
    }

    CHECK(cudaHostAlloc(reinterpret_cast<void **>(&flag), sizeof *flag, cudaHostAllocMapped));
    *flag = 0;
    wait_for<<<1, 1>>>(flag); // holds the default stream
    slow_store<<<1, 1, 0, independent>>>(values, 5, 10);
    LAUNCHED();
    CHECK(cudaMemcpyAsync(host, values, sizeof(int), cudaMemcpyDeviceToHost, independent));
    CHECK(cudaStreamSynchronize(independent));
    REQUIRE(host[0] == 5, "independent: %d", host[0]);
    slow_store<<<1, 1, 0, a>>>(values, 6, 0);
    EXPECT(cudaStreamQuery(a), cudaErrorNotReady); // a is behind the default stream
    *static_cast<volatile int *>(flag) = 1;
    CHECK(cudaStreamSynchronize(a));
    host_copy(host, values, 1);
    REQUIRE(host[0] == 6, "behind the default stream: %d", host[0]);
    printf("ok 30 rounds\n");
    return 0;
}
