// Streams: flags, priorities, queries, independence.
#include "check.h"

__global__ void wait_for(volatile int *flag)
{
    while (*flag == 0) {
    }
}

__global__ void add(int *data, int value)
{
    atomicAdd(data, value);
}

int main()
{
    int least = 0, greatest = 0;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    REQUIRE(least >= greatest, "priorities %d to %d", least, greatest);
    cudaStream_t blocking, free_, urgent;
    CHECK(cudaStreamCreate(&blocking));
    CHECK(cudaStreamCreateWithFlags(&free_, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
    unsigned flags = 9;
    int priority = 99;
    CHECK(cudaStreamGetFlags(blocking, &flags));
    REQUIRE(flags == cudaStreamDefault, "flags %u", flags);
    CHECK(cudaStreamGetFlags(free_, &flags));
    REQUIRE(flags == cudaStreamNonBlocking, "flags %u", flags);
    CHECK(cudaStreamGetPriority(urgent, &priority));
    REQUIRE(priority == greatest, "priority %d", priority);
    CHECK(cudaStreamGetPriority(free_, &priority));
    REQUIRE(priority == 0, "priority %d", priority);

    int *flag, *sum = device_array<int>(1), result = 0;
    CHECK(cudaHostAlloc(reinterpret_cast<void **>(&flag), sizeof *flag, cudaHostAllocMapped));
    *flag = 0;
    CHECK(cudaMemset(sum, 0, sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamQuery(free_));
    // One stream is held up; the other one goes on.
    wait_for<<<1, 1, 0, free_>>>(flag);
    add<<<1, 1, 0, free_>>>(sum, 100);
    LAUNCHED();
    EXPECT(cudaStreamQuery(free_), cudaErrorNotReady);
    cudaGetLastError(); // not ready is remembered like an error
    for (int i = 0; i < 10; i++) {
        add<<<2, 32, 0, urgent>>>(sum, 1);
    }
    LAUNCHED();
    CHECK(cudaStreamSynchronize(urgent));
    CHECK(cudaMemcpyAsync(&result, sum, sizeof result, cudaMemcpyDeviceToHost, urgent));
    CHECK(cudaStreamSynchronize(urgent));
    REQUIRE(result == 640, "while the other waits: %d", result);
    *static_cast<volatile int *>(flag) = 1;
    CHECK(cudaStreamSynchronize(free_));
    CHECK(cudaStreamQuery(free_));
    CHECK(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
    REQUIRE(result == 740, "at the end: %d", result);

    // A destroyed stream finishes its work.
    for (int i = 0; i < 100; i++) {
        add<<<1, 32, 0, blocking>>>(sum, 1);
    }
    CHECK(cudaStreamDestroy(blocking));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
    REQUIRE(result == 740 + 3200, "after destroying: %d", result);
    CHECK(cudaStreamDestroy(free_));
    CHECK(cudaStreamDestroy(urgent));
    printf("ok priorities %d to %d\n", least, greatest);
    return 0;
}
