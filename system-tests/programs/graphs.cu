// Graphs of explicit nodes: what they do, in which order, and what may be asked and changed.
// forms: shared static
// stderr: (CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH): not supported
#include "check.h"

#include <vector>

__global__ void add(int *data, int value, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] += value;
    }
}

__global__ void twice(int *data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] *= 2;
    }
}

constexpr int COUNT = 1000;
__device__ int variable[4];

static cudaKernelNodeParams launch(void *function, void **arguments)
{
    cudaKernelNodeParams params = {};
    params.func = function;
    params.gridDim = dim3((COUNT + 127) / 128);
    params.blockDim = dim3(128);
    params.kernelParams = arguments;
    return params;
}

static void CUDART_CB count_call(void *data)
{
    ++*static_cast<int *>(data);
}

static void CUDART_CB destroyed(void *data)
{
    *static_cast<bool *>(data) = true;
}

static int first_of(int *device)
{
    int value = 0;
    CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

int main()
{
    int *data = device_array<int>(COUNT), count = COUNT, five = 5, calls = 0;
    std::vector<int> in(COUNT, 1), out(COUNT, 0); // pageable memory
    cudaStream_t stream;
    cudaEvent_t reached;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&reached));

    // memset -> copy in -> add 5 -> { twice, host function } -> copy out -> event
    cudaGraph_t graph;
    cudaGraphNode_t set, copy_in, added, doubled, called, copy_out, recorded, joined;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams fill = {};
    fill.dst = data;
    fill.elementSize = 4;
    fill.width = COUNT;
    fill.height = 1;
    CHECK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &fill));
    CHECK(cudaGraphAddMemcpyNode1D(&copy_in, graph, &set, 1, data, in.data(), COUNT * sizeof(int), cudaMemcpyHostToDevice));
    void *add_arguments[] = {&data, &five, &count}, *twice_arguments[] = {&data, &count};
    cudaKernelNodeParams add_params = launch((void *)add, add_arguments), twice_params = launch((void *)twice, twice_arguments);
    CHECK(cudaGraphAddKernelNode(&added, graph, &copy_in, 1, &add_params));
    CHECK(cudaGraphAddKernelNode(&doubled, graph, &added, 1, &twice_params));
    cudaHostNodeParams host = {count_call, &calls};
    CHECK(cudaGraphAddHostNode(&called, graph, &added, 1, &host));
    cudaGraphNode_t both[] = {doubled, called};
    CHECK(cudaGraphAddEmptyNode(&joined, graph, both, 2));
    CHECK(cudaGraphAddMemcpyNode1D(&copy_out, graph, &joined, 1, out.data(), data, COUNT * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaGraphAddEventRecordNode(&recorded, graph, &copy_out, 1, reached));

    size_t nodes = 0, roots = 0, edges = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    REQUIRE(nodes == 8 && roots == 1, "%zu nodes, %zu roots", nodes, roots);
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
#else
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
#endif
    REQUIRE(edges == 8, "%zu edges", edges);
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(called, &type));
    REQUIRE(type == cudaGraphNodeTypeHost, "type %d", type);
    cudaKernelNodeParams found = {};
    CHECK(cudaGraphKernelNodeGetParams(added, &found));
    REQUIRE(found.func == (void *)add && found.blockDim.x == 128 && *static_cast<int *>(found.kernelParams[1]) == 5, "other parameters");

    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaEventSynchronize(reached));
    CHECK(cudaStreamSynchronize(stream));
    REQUIRE(out[0] == 12 && out[COUNT - 1] == 12 && calls == 1, "%d, %d calls", out[0], calls);
    in.assign(COUNT, 10); // the data that is there when it is launched
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    REQUIRE(out[0] == 30 && calls == 2, "%d, %d calls", out[0], calls);

    // One node of the executable gets other parameters, one is left out; the graph stays.
    int seven = 7;
    void *other_arguments[] = {&data, &seven, &count};
    cudaKernelNodeParams other = launch((void *)add, other_arguments);
    CHECK(cudaGraphExecKernelNodeSetParams(exec, added, &other));
    CHECK(cudaGraphNodeSetEnabled(exec, doubled, 0));
    unsigned enabled = 9;
    CHECK(cudaGraphNodeGetEnabled(exec, doubled, &enabled));
    REQUIRE(enabled == 0, "enabled %u", enabled);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    REQUIRE(out[0] == 17, "%d", out[0]);
    CHECK(cudaGraphNodeSetEnabled(exec, doubled, 1));

    // A clone is changed and taken over as a whole; one of another form is refused.
    cudaGraph_t clone;
    cudaGraphNode_t in_clone;
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphNodeFindInClone(&in_clone, added, clone));
    CHECK(cudaGraphKernelNodeSetParams(in_clone, &other));
    cudaGraphExecUpdateResultInfo info = {};
    CHECK(cudaGraphExecUpdate(exec, clone, &info));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    REQUIRE(info.result == cudaGraphExecUpdateSuccess && out[0] == 34, "result %d, %d", info.result, out[0]);
    cudaGraphNode_t more;
    CHECK(cudaGraphAddEmptyNode(&more, clone, nullptr, 0));
    EXPECT(cudaGraphExecUpdate(exec, clone, &info), cudaErrorGraphExecUpdateFailure);
    REQUIRE(info.result == cudaGraphExecUpdateErrorTopologyChanged, "result %d", info.result);
    cudaGetLastError();

    // A child graph runs as a whole between its neighbours; a variable is written and read.
    cudaGraph_t parent;
    cudaGraphNode_t before, child, behind;
    int values[4] = {1, 2, 3, 4}, back[4] = {};
    CHECK(cudaGraphCreate(&parent, 0));
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&before, parent, nullptr, 0, variable, values, sizeof values, 0, cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddChildGraphNode(&child, parent, &before, 1, graph));
    CHECK(cudaGraphAddMemcpyNodeFromSymbol(&behind, parent, &child, 1, back, variable, sizeof back, 0, cudaMemcpyDeviceToHost));
    cudaGraphExec_t whole;
    CHECK(cudaGraphInstantiate(&whole, parent, 0));
    CHECK(cudaGraphLaunch(whole, stream));
    CHECK(cudaStreamSynchronize(stream));
    REQUIRE(out[0] == 30 && back[3] == 4, "%d, %d", out[0], back[3]);

    // A cycle is found; a user object lives as long as what holds it.
    cudaGraph_t round;
    cudaGraphNode_t a, b;
    CHECK(cudaGraphCreate(&round, 0));
    CHECK(cudaGraphAddEmptyNode(&a, round, nullptr, 0));
    CHECK(cudaGraphAddEmptyNode(&b, round, &a, 1));
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddDependencies(round, &b, &a, nullptr, 1));
#else
    CHECK(cudaGraphAddDependencies(round, &b, &a, 1));
#endif
    cudaGraphExec_t none;
    EXPECT(cudaGraphInstantiate(&none, round, 0), cudaErrorInvalidValue);
    cudaGetLastError();
    bool gone = false;
    cudaUserObject_t object;
    CHECK(cudaUserObjectCreate(&object, &gone, destroyed, 1, cudaUserObjectNoDestructorSync));
    CHECK(cudaGraphRetainUserObject(round, object, 1, cudaGraphUserObjectMove));
    REQUIRE(!gone, "too early");
    CHECK(cudaGraphDestroy(round));
    REQUIRE(gone, "not destroyed");

    EXPECT(cudaGraphInstantiate(&none, graph, cudaGraphInstantiateFlagDeviceLaunch), cudaErrorNotSupported);
    cudaGetLastError();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphExecDestroy(whole));
    CHECK(cudaGraphDestroy(parent));
    CHECK(cudaGraphDestroy(clone));
    CHECK(cudaGraphDestroy(graph));
    EXPECT(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
    cudaGetLastError();
    REQUIRE(first_of(data) == 30, "%d", first_of(data));
    printf("ok: graphs\n");
    return 0;
}
