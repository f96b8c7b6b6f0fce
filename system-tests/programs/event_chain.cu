// Streams that wait for each other's events: a diamond, many times; operations that do not commute.
#include "check.h"

__global__ void multiply_add(unsigned *value, unsigned factor, unsigned summand)
{
    *value = *value * factor + summand;
}

__global__ void combine(unsigned *to, const unsigned *left, const unsigned *right)
{
    *to = *left * 31 + *right;
}

int main()
{
    cudaStream_t streams[4];
    cudaEvent_t events[4];
    for (int i = 0; i < 4; i++) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&events[i], i % 2 ? cudaEventDefault : cudaEventDisableTiming));
    }
    unsigned *v = device_array<unsigned>(3), expected[3] = {1, 0, 0}, host[3];
    CHECK(cudaMemcpy(v, expected, sizeof expected, cudaMemcpyHostToDevice));
    for (unsigned round = 0; round < 200; round++) {
        //      0: v0 changes
        //    /   \
        //   1     2: v1 and v2 are made of v0
        //    \   /
        //      3: v0 is made of v1 and v2
        multiply_add<<<1, 1, 0, streams[0]>>>(v, 3, round);
        CHECK(cudaEventRecord(events[0], streams[0]));
        CHECK(cudaStreamWaitEvent(streams[1], events[0], 0));
        CHECK(cudaStreamWaitEvent(streams[2], events[0], 0));
        combine<<<1, 1, 0, streams[1]>>>(v + 1, v, v + 1);
        combine<<<1, 1, 0, streams[2]>>>(v + 2, v, v + 2);
        CHECK(cudaEventRecord(events[1], streams[1]));
        CHECK(cudaEventRecord(events[2], streams[2]));
        CHECK(cudaStreamWaitEvent(streams[3], events[1], 0));
        CHECK(cudaStreamWaitEvent(streams[3], events[2], 0));
        combine<<<1, 1, 0, streams[3]>>>(v, v + 1, v + 2);
        CHECK(cudaEventRecord(events[3], streams[3]));
        CHECK(cudaStreamWaitEvent(streams[0], events[3], 0));
        LAUNCHED();
        expected[0] = expected[0] * 3 + round;
        expected[1] = expected[0] * 31 + expected[1];
        expected[2] = expected[0] * 31 + expected[2];
        expected[0] = expected[1] * 31 + expected[2];
    }
    CHECK(cudaEventSynchronize(events[3]));
    CHECK(cudaStreamSynchronize(streams[0]));
    CHECK(cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3; i++) {
        REQUIRE(host[i] == expected[i], "value %d is %u, expected %u", i, host[i], expected[i]);
        CHECK(cudaEventDestroy(events[i]));
        CHECK(cudaStreamDestroy(streams[i]));
    }
    printf("ok 200 diamonds\n");
    return 0;
}
