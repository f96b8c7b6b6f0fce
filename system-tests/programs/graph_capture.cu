// Stream capture: forks and joins, what is refused meanwhile, and what becomes of it.
// forms: shared static
#include "check.h"

__global__ void add(int *data, int value)
{
    atomicAdd(data, value);
}

__global__ void scale(int *data, int factor)
{
    *data *= factor;
}

static int value_of(int *device)
{
    int value = 0;
    CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static cudaStreamCaptureStatus status_of(cudaStream_t stream)
{
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(stream, &status));
    return status;
}

// The capture was spoiled: it ends with an error, and the stream is as before.
static void ends_invalid(cudaStream_t stream)
{
    cudaGraph_t graph = nullptr;
    REQUIRE(status_of(stream) == cudaStreamCaptureStatusInvalidated, "status %d", status_of(stream));
    EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    REQUIRE(graph == nullptr && status_of(stream) == cudaStreamCaptureStatusNone, "still capturing");
    cudaGetLastError();
}

int main()
{
    int *data = device_array<int>(1), *other = device_array<int>(1), seen = 0;
    cudaStream_t first, second, third;
    cudaEvent_t fork, join, plain;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CHECK(cudaStreamCreate(&third));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaEventCreate(&plain));

    // Two streams; nothing runs until the launch.
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaMemset(data, 0, sizeof(int)));
    CHECK(cudaMemset(other, 0, sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    REQUIRE(status_of(first) == cudaStreamCaptureStatusActive, "status %d", status_of(first));
    add<<<1, 32, 0, first>>>(data, 1);
    LAUNCHED();
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork, 0));
    REQUIRE(status_of(second) == cudaStreamCaptureStatusActive, "the second stream did not join");
    add<<<1, 64, 0, second>>>(other, 1);
    scale<<<1, 1, 0, first>>>(data, 10);
    LAUNCHED();
    CHECK(cudaEventRecord(join, second));
    CHECK(cudaStreamWaitEvent(first, join, 0));
    CHECK(cudaMemcpyAsync(&seen, data, sizeof seen, cudaMemcpyDeviceToHost, first));
    CHECK(cudaMemsetAsync(data, 0, sizeof(int), first));
    CHECK(cudaStreamEndCapture(first, &graph));
    REQUIRE(status_of(second) == cudaStreamCaptureStatusNone, "the second stream is still in it");
    REQUIRE(value_of(data) == 0, "it ran: %d", value_of(data));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    REQUIRE(nodes == 5, "%zu nodes", nodes);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 1; i <= 3; i++) {
        CHECK(cudaGraphLaunch(exec, third));
        CHECK(cudaStreamSynchronize(third));
        REQUIRE(seen == 320 && value_of(other) == 64 * i, "%d, %d", seen, value_of(other));
    }

    // Calls that wait or allocate spoil it, by the rules of the mode.
    void *memory;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    EXPECT(cudaMalloc(&memory, 16), cudaErrorStreamCaptureUnsupported);
    ends_invalid(first);
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    CHECK(cudaMalloc(&memory, 16));
    CHECK(cudaFree(memory));
    CHECK(cudaStreamEndCapture(first, &graph));
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    EXPECT(cudaStreamSynchronize(first), cudaErrorStreamCaptureUnsupported);
    ends_invalid(first);
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    EXPECT(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
    ends_invalid(first);

    // Beside a blocking stream that is captured there is no legacy stream; that one is never captured.
    CHECK(cudaStreamBeginCapture(third, cudaStreamCaptureModeRelaxed));
    add<<<1, 1>>>(data, 1);
    EXPECT(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
    ends_invalid(third);
    EXPECT(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed), cudaErrorStreamCaptureUnsupported);

    // Branches come back, captures do not meet, and only events of the capture are waited for.
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    add<<<1, 1, 0, first>>>(data, 1);
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork, 0));
    add<<<1, 1, 0, second>>>(other, 1);
    EXPECT(cudaEventQuery(fork), cudaErrorCapturedEvent);
    ends_invalid(first);
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    add<<<1, 1, 0, first>>>(data, 1);
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork, 0));
    add<<<1, 1, 0, second>>>(other, 1);
    EXPECT(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork, 0));
    EXPECT(cudaStreamEndCapture(second, &graph), cudaErrorStreamCaptureUnmatched);
    ends_invalid(first);
    CHECK(cudaEventRecord(plain, third));
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    EXPECT(cudaStreamWaitEvent(first, plain, 0), cudaErrorStreamCaptureIsolation);
    ends_invalid(first);
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    CHECK(cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed));
    CHECK(cudaEventRecord(fork, first));
    EXPECT(cudaStreamWaitEvent(second, fork, 0), cudaErrorStreamCaptureMerge);
    ends_invalid(first);
    ends_invalid(second);
    EXPECT(cudaStreamEndCapture(first, &graph), cudaErrorIllegalState);
    cudaGetLastError();

    // Into a graph that is there, behind one of its nodes; and memory that a graph allocates by itself.
    cudaGraphNode_t root;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddEmptyNode(&root, graph, nullptr, 0));
    CHECK(cudaStreamBeginCaptureToGraph(first, graph, &root, nullptr, 1, cudaStreamCaptureModeRelaxed));
    int *fresh = nullptr;
    seen = 0;
    CHECK(cudaMallocAsync(reinterpret_cast<void **>(&fresh), sizeof(int), first));
    CHECK(cudaMemsetAsync(fresh, 0, sizeof(int), first));
    add<<<1, 7, 0, first>>>(fresh, 3);
    LAUNCHED();
    CHECK(cudaMemcpyAsync(&seen, fresh, sizeof seen, cudaMemcpyDeviceToHost, first));
    CHECK(cudaFreeAsync(fresh, first));
    cudaGraph_t same;
    CHECK(cudaStreamEndCapture(first, &same));
    REQUIRE(same == graph, "another graph");
    cudaGraphExec_t with_memory;
    CHECK(cudaGraphInstantiate(&with_memory, graph, 0));
    for (int i = 0; i < 3; i++) {
        CHECK(cudaGraphLaunch(with_memory, second));
    }
    CHECK(cudaStreamSynchronize(second));
    REQUIRE(seen == 21, "%d", seen);

    // A graph that is launched into a capture becomes part of it.
    CHECK(cudaMemset(other, 0, sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed));
    CHECK(cudaGraphLaunch(exec, second));
    CHECK(cudaGraphLaunch(exec, second));
    CHECK(cudaStreamEndCapture(second, &same));
    cudaGraphExec_t nested;
    CHECK(cudaGraphInstantiate(&nested, same, 0));
    CHECK(cudaGraphLaunch(nested, first));
    CHECK(cudaStreamSynchronize(first));
    REQUIRE(value_of(other) == 128, "%d", value_of(other));
    printf("ok: capture\n");
    return 0;
}
