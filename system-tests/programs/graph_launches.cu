// The same executable in several streams and threads: its launches come one after the other.
// forms: shared static
#include "check.h"

#include <thread>
#include <vector>

// Not atomic: two launches at once would lose some.
__global__ void increase(int *data)
{
    *data = *data + 1;
}

static cudaGraphExec_t chain(int *data, int length)
{
    cudaGraph_t graph;
    cudaGraphNode_t last;
    cudaGraphExec_t exec;
    void *arguments[] = {&data};
    cudaKernelNodeParams params = {};
    params.func = (void *)increase;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    CHECK(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < length; i++) {
        CHECK(cudaGraphAddKernelNode(&last, graph, i == 0 ? nullptr : &last, i == 0 ? 0 : 1, &params));
    }
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return exec;
}

static int value_of(int *device)
{
    int value = 0;
    CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

constexpr int STREAMS = 4, LAUNCHES = 50, LENGTH = 20;

int main()
{
    int *data = device_array<int>(1 + STREAMS);
    CHECK(cudaMemset(data, 0, (1 + STREAMS) * sizeof(int)));
    std::vector<cudaStream_t> streams(STREAMS);
    for (cudaStream_t &stream : streams) {
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    CHECK(cudaDeviceSynchronize());
    cudaGraphExec_t common = chain(data, LENGTH);
    for (int i = 0; i < LAUNCHES; i++) {
        CHECK(cudaGraphLaunch(common, streams[i % STREAMS]));
    }
    CHECK(cudaDeviceSynchronize());
    REQUIRE(value_of(data) == LAUNCHES * LENGTH, "%d", value_of(data));

    // Each thread with one of its own, and all with the common one.
    std::vector<std::thread> threads;
    for (int t = 0; t < STREAMS; t++) {
        threads.emplace_back([=, &streams] {
            cudaGraphExec_t own = chain(data + 1 + t, LENGTH);
            for (int i = 0; i < LAUNCHES; i++) {
                CHECK(cudaGraphLaunch(own, streams[t]));
                CHECK(cudaGraphLaunch(common, streams[t]));
            }
            CHECK(cudaGraphExecDestroy(own)); // while it runs
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    CHECK(cudaGraphExecDestroy(common));
    CHECK(cudaDeviceSynchronize());
    REQUIRE(value_of(data) == (1 + STREAMS) * LAUNCHES * LENGTH, "%d", value_of(data));
    for (int t = 0; t < STREAMS; t++) {
        REQUIRE(value_of(data + 1 + t) == LAUNCHES * LENGTH, "%d", value_of(data + 1 + t));
    }
    printf("ok: launches\n");
    return 0;
}
