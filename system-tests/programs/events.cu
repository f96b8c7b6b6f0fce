// Events: elapsed time, queries, and what is asked of events that cannot answer.
#include "check.h"

#include <chrono>
#include <thread>

__global__ void wait_for(volatile int *flag)
{
    while (*flag == 0) {
    }
}

void CUDART_CB nap(void *)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
}

int main()
{
    cudaEvent_t start, end, untimed, unused;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventCreate(&unused));
    CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventQuery(unused)); // never recorded: nothing to wait for
    CHECK(cudaEventSynchronize(unused));
    float ms = -1;
    EXPECT(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
    cudaGetLastError();

    CHECK(cudaEventRecord(start, stream));
    CHECK(cudaLaunchHostFunc(stream, nap, nullptr));
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, start, end));
    REQUIRE(ms >= 29.5f && ms < 20000, "30 ms took %g ms", ms);
    CHECK(cudaEventElapsedTime(&ms, end, start));
    REQUIRE(ms <= -29.5f, "backwards %g ms", ms);
    CHECK(cudaEventElapsedTime(&ms, start, start));
    REQUIRE(ms == 0, "no time took %g ms", ms);

    CHECK(cudaEventRecord(untimed, stream));
    CHECK(cudaEventSynchronize(untimed));
    EXPECT(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
    cudaGetLastError();

    int *flag;
    CHECK(cudaHostAlloc(reinterpret_cast<void **>(&flag), sizeof *flag, cudaHostAllocMapped));
    *flag = 0;
    CHECK(cudaEventRecord(start, stream));
    wait_for<<<1, 1, 0, stream>>>(flag);
    LAUNCHED();
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(start));
    EXPECT(cudaEventQuery(end), cudaErrorNotReady);
    EXPECT(cudaEventElapsedTime(&ms, start, end), cudaErrorNotReady);
    *static_cast<volatile int *>(flag) = 1;
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventQuery(end));
    CHECK(cudaEventElapsedTime(&ms, start, end));
    REQUIRE(ms >= 0, "%g ms", ms);
    // Recorded again: only the last record counts.
    CHECK(cudaEventRecord(start, stream));
    CHECK(cudaEventRecord(start, stream));
    CHECK(cudaEventSynchronize(start));
    CHECK(cudaEventElapsedTime(&ms, end, start));
    REQUIRE(ms >= 0, "the second record is %g ms before the first event", ms);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaEventDestroy(untimed));
    CHECK(cudaEventDestroy(unused));
    printf("ok events\n");
    return 0;
}
