// Memory nodes: addresses, launches again and again, freeing outside of the graph, what counts when.
// forms: shared static
#include "check.h"

__global__ void mark(int *data, int value, int count)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        data[i] = value;
    }
}

__global__ void sum(const int *data, int count, int *result)
{
    int total = 0;
    for (int i = 0; i < count; i++) {
        total += data[i];
    }
    *result = total;
}

constexpr size_t BYTES = 8 << 20;
constexpr int COUNT = 1024;

static cudaMemAllocNodeParams wanted()
{
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = BYTES;
    return params;
}

static unsigned long long reserved()
{
    unsigned long long bytes = 0;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &bytes));
    return bytes;
}

static size_t available()
{
    size_t free_bytes = 0, total = 0;
    CHECK(cudaMemGetInfo(&free_bytes, &total));
    return free_bytes;
}

int main()
{
    int *result = device_array<int>(1), value = 3, count = COUNT, seen = 0;
    cudaGraph_t graph;
    cudaGraphNode_t made, marked, summed, freed;
    size_t before = available();
    cudaMemAllocNodeParams params = wanted();
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &params));
    void *address = params.dptr;
    REQUIRE(address != nullptr, "no address");
    void *mark_arguments[] = {&address, &value, &count}, *sum_arguments[] = {&address, &count, &result};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)mark;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = mark_arguments;
    CHECK(cudaGraphAddKernelNode(&marked, graph, &made, 1, &kernel));
    kernel.func = (void *)sum;
    kernel.blockDim = dim3(1);
    kernel.kernelParams = sum_arguments;
    CHECK(cudaGraphAddKernelNode(&summed, graph, &marked, 1, &kernel));
    cudaGraphExec_t keeps, frees;
    CHECK(cudaGraphInstantiate(&keeps, graph, 0));
    REQUIRE(available() == before && reserved() == 0, "it counts before it is launched: %zu", before - available());

    // The memory is the program's until it is freed; a second launch would allocate it twice.
    CHECK(cudaGraphLaunch(keeps, 0));
    CHECK(cudaDeviceSynchronize());
    REQUIRE(before - available() >= BYTES && reserved() == BYTES, "it does not count: %zu", before - available());
    EXPECT(cudaGraphLaunch(keeps, 0), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK(cudaMemcpy(&seen, static_cast<int *>(address) + 5, sizeof seen, cudaMemcpyDeviceToHost));
    REQUIRE(seen == 3, "%d", seen);
    CHECK(cudaFree(address));
    EXPECT(cudaFree(address), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK(cudaGraphLaunch(keeps, 0));
    CHECK(cudaFreeAsync(address, 0));
    CHECK(cudaGraphLaunch(keeps, 0));
    CHECK(cudaFreeAsync(address, 0));
    CHECK(cudaDeviceSynchronize());
    REQUIRE(reserved() == BYTES, "%llu", reserved());
    CHECK(cudaDeviceGraphMemTrim(0));
    REQUIRE(reserved() == 0 || reserved() == BYTES, "%llu", reserved());

    // With a node that frees it is launched as often as one likes.
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, &summed, 1, address));
    CHECK(cudaGraphInstantiate(&frees, graph, 0));
    for (int i = 0; i < 5; i++) {
        CHECK(cudaGraphLaunch(frees, 0));
    }
    CHECK(cudaMemcpy(&seen, result, sizeof seen, cudaMemcpyDeviceToHost));
    REQUIRE(seen == 3 * COUNT, "%d", seen);

    // More than there is.
    params = wanted();
    params.bytesize = before + (size_t(64) << 20);
    cudaGraph_t large;
    cudaGraphNode_t node;
    CHECK(cudaGraphCreate(&large, 0));
    cudaError_t error = cudaGraphAddMemAllocNode(&node, large, nullptr, 0, &params);
    if (error == cudaSuccess) {
        cudaGraphExec_t exec;
        CHECK(cudaGraphInstantiate(&exec, large, 0));
        error = cudaGraphLaunch(exec, 0);
        CHECK(cudaGraphExecDestroy(exec));
    }
    REQUIRE(error == cudaErrorMemoryAllocation, "error %d", static_cast<int>(error));
    cudaGetLastError();

    CHECK(cudaGraphExecDestroy(keeps));
    CHECK(cudaGraphExecDestroy(frees));
    CHECK(cudaGraphDestroy(large));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaDeviceSynchronize());
    REQUIRE(available() == before && reserved() == 0, "%zu bytes are missing", before - available());
    printf("ok: memory nodes\n");
    return 0;
}
