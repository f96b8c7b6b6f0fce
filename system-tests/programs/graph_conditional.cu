// Conditional nodes: IF with and without ELSE, WHILE, SWITCH, and one inside another.
// forms: shared static
#include "check.h"

__global__ void choose(cudaGraphConditionalHandle handle, int *data, int limit)
{
    cudaGraphSetConditional(handle, *data < limit);
}

__global__ void set(cudaGraphConditionalHandle handle, unsigned value)
{
    cudaGraphSetConditional(handle, value);
}

__global__ void add(int *data, int value)
{
    *data += value;
}

template <class... Arguments> static cudaGraphNode_t put(cudaGraph_t graph, cudaGraphNode_t *behind, void *function, Arguments... arguments)
{
    void *pointers[] = {&arguments...};
    cudaKernelNodeParams params = {};
    params.func = function;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = pointers;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddKernelNode(&node, graph, behind, behind == nullptr ? 0 : 1, &params));
    return node;
}

static cudaGraphNode_t conditional(cudaGraph_t graph, cudaGraphNode_t *behind, cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                   unsigned size, cudaGraph_t *bodies)
{
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddNode(&node, graph, behind, nullptr, behind == nullptr ? 0 : 1, &params));
#else
    CHECK(cudaGraphAddNode(&node, graph, behind, behind == nullptr ? 0 : 1, &params));
#endif
    for (unsigned i = 0; i < size; i++) {
        bodies[i] = params.conditional.phGraph_out[i];
    }
    return node;
}

static int run(cudaGraphExec_t exec, int *data, int start)
{
    int value = start;
    CHECK(cudaMemcpy(data, &value, sizeof value, cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

int main()
{
    int *data = device_array<int>(1);
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle, inner;
    cudaGraph_t graph, bodies[4], inside[2];

    // if (*data < 10) add 100 else add 1000; then add 1
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    cudaGraphNode_t node = put(graph, nullptr, (void *)choose, handle, data, 10);
    node = conditional(graph, &node, handle, cudaGraphCondTypeIf, 2, bodies);
    put(bodies[0], nullptr, (void *)add, data, 100);
    put(bodies[1], nullptr, (void *)add, data, 1000);
    put(graph, &node, (void *)add, data, 1);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    REQUIRE(run(exec, data, 5) == 106, "%d", run(exec, data, 5));
    REQUIRE(run(exec, data, 15) == 1016, "%d", run(exec, data, 15));
    cudaGraphExec_t second;
    EXPECT(cudaGraphInstantiate(&second, graph, 0), cudaErrorInvalidValue); // one at a time
    cudaGetLastError();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));

    // while (*data < 1000) { add 7; if (*data < 500) add 1 }
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    conditional(graph, nullptr, handle, cudaGraphCondTypeWhile, 1, bodies);
    CHECK(cudaGraphConditionalHandleCreate(&inner, bodies[0], 0, 0));
    node = put(bodies[0], nullptr, (void *)add, data, 7);
    node = put(bodies[0], &node, (void *)choose, inner, data, 500);
    node = conditional(bodies[0], &node, inner, cudaGraphCondTypeIf, 1, inside);
    put(inside[0], nullptr, (void *)add, data, 1);
    put(bodies[0], &node, (void *)choose, handle, data, 1000);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    int expected = 0;
    do {
        expected += 7;
        expected += expected < 500 ? 1 : 0;
    } while (expected < 1000);
    for (int i = 0; i < 3; i++) {
        REQUIRE(run(exec, data, 0) == expected, "%d, expected %d", run(exec, data, 0), expected);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));

    // switch
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    cudaGraphNode_t chooser = put(graph, nullptr, (void *)set, handle, 0u);
    conditional(graph, &chooser, handle, cudaGraphCondTypeSwitch, 4, bodies);
    for (int i = 0; i < 4; i++) {
        put(bodies[i], nullptr, (void *)add, data, 1 << (4 * i));
    }
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (unsigned value = 0; value < 6; value++) {
        void *pointers[] = {&handle, &value};
        cudaKernelNodeParams params = {};
        params.func = (void *)set;
        params.gridDim = params.blockDim = dim3(1);
        params.kernelParams = pointers;
        CHECK(cudaGraphExecKernelNodeSetParams(exec, chooser, &params));
        int result = run(exec, data, 0);
        REQUIRE(result == (value < 4 ? 1 << (4 * value) : 0), "%u: %d", value, result);
    }
    cudaGraphNode_t wrong;
    cudaHostNodeParams host = {[](void *) {}, nullptr};
    EXPECT(cudaGraphAddHostNode(&wrong, bodies[0], nullptr, 0, &host), cudaErrorNotSupported);
    cudaGetLastError();
    printf("ok: conditional nodes\n");
    return 0;
}
