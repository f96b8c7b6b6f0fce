// Nodes of graphs by the runtime: what they are is asked, and changed in the graph and in the executable.
// forms: shared static
#include "check.h"

#include <cstring>
#include <unistd.h>

__global__ void step(unsigned *value, unsigned number)
{
    *value = *value * 31 + number;
}

__device__ unsigned variable[2];

static cudaStream_t stream;
static int calls[2];

static void CUDART_CB call(void *data)
{
    ++*static_cast<int *>(data);
}

static cudaGraphExec_t executable(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    return exec;
}

static void run(cudaGraphExec_t exec)
{
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
}

static void copies(unsigned *device)
{
    unsigned in[2] = {5, 6}, out[2] = {0, 0}, seen[2] = {0, 0};
    cudaGraph_t graph;
    cudaGraphNode_t there, to_symbol, from_symbol, back;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&there, graph, nullptr, 0, device, &in[0], 4, cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, graph, &there, 1, variable, &in[0], 4, 0, cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddMemcpyNodeFromSymbol(&from_symbol, graph, &to_symbol, 1, &out[0], variable, 4, 0, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &from_symbol, 1, &seen[0], device, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphMemcpyNodeSetParams1D(there, device, &in[1], 4, cudaMemcpyHostToDevice));
    CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(to_symbol, variable, &in[1], 4, 4, cudaMemcpyHostToDevice));
    CHECK(cudaGraphMemcpyNodeSetParamsFromSymbol(from_symbol, &out[0], variable, 4, 4, cudaMemcpyDeviceToHost));
    cudaGraphExec_t exec = executable(graph);
    run(exec);
    REQUIRE(seen[0] == 6 && out[0] == 6, "%u and %u", seen[0], out[0]);
    CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, there, device, &in[0], 4, cudaMemcpyHostToDevice));
    CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to_symbol, variable, &in[0], 4, 4, cudaMemcpyHostToDevice));
    CHECK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from_symbol, &out[1], variable, 4, 4, cudaMemcpyDeviceToHost));
    run(exec);
    REQUIRE(seen[0] == 5 && out[0] == 6 && out[1] == 5, "%u, %u and %u", seen[0], out[0], out[1]);
    cudaMemcpy3DParms params = {};
    CHECK(cudaGraphMemcpyNodeGetParams(back, &params));
    REQUIRE(params.dstPtr.ptr == &seen[0] && params.extent.width == 4, "%zu bytes", params.extent.width);
    params.dstPtr.ptr = &seen[1];
    CHECK(cudaGraphMemcpyNodeSetParams(back, &params));
    CHECK(cudaGraphExecMemcpyNodeSetParams(exec, back, &params));
    run(exec);
    REQUIRE(seen[1] == 5, "%u", seen[1]);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

static void fills_functions_children(unsigned *device)
{
    cudaGraph_t graph, inner, other;
    cudaGraphNode_t fill, host, child, inside, found;
    unsigned seen = 0;
    cudaMemsetParams set = {}, set_asked = {};
    set.dst = device;
    set.value = 3;
    set.elementSize = 4;
    set.width = set.height = 1;
    cudaHostNodeParams first = {call, &calls[0]}, second = {call, &calls[1]}, asked = {};
    CHECK(cudaGraphCreate(&inner, 0));
    CHECK(cudaGraphAddHostNode(&inside, inner, nullptr, 0, &first));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
    CHECK(cudaGraphAddHostNode(&host, graph, &fill, 1, &first));
    CHECK(cudaGraphAddChildGraphNode(&child, graph, &host, 1, inner));
    CHECK(cudaGraphMemsetNodeGetParams(fill, &set_asked));
    CHECK(cudaGraphHostNodeGetParams(host, &asked));
    REQUIRE(set_asked.value == 3 && asked.fn == call && asked.userData == &calls[0], "other parameters");
    set.value = 4;
    CHECK(cudaGraphMemsetNodeSetParams(fill, &set));
    CHECK(cudaGraphHostNodeSetParams(host, &second));
    cudaGraphExec_t exec = executable(graph);
    unsigned long long flags = 99;
    CHECK(cudaGraphExecGetFlags(exec, &flags));
    REQUIRE(flags == 0, "flags %llu", flags);
    run(exec);
    host_copy(&seen, device, 1);
    REQUIRE(seen == 4 && calls[0] == 1 && calls[1] == 1, "%u, %d, %d", seen, calls[0], calls[1]);
    set.value = 9;
    CHECK(cudaGraphExecMemsetNodeSetParams(exec, fill, &set));
    CHECK(cudaGraphExecHostNodeSetParams(exec, host, &first));
    CHECK(cudaGraphClone(&other, inner));
    CHECK(cudaGraphNodeFindInClone(&found, inside, other));
    CHECK(cudaGraphHostNodeSetParams(found, &second));
    CHECK(cudaGraphExecChildGraphNodeSetParams(exec, child, other));
    run(exec);
    host_copy(&seen, device, 1);
    REQUIRE(seen == 9 && calls[0] == 2 && calls[1] == 2, "%u, %d, %d", seen, calls[0], calls[1]);
    cudaGraph_t held = nullptr;
    size_t many = 0;
    CHECK(cudaGraphChildGraphNodeGetGraph(child, &held));
    CHECK(cudaGraphGetNodes(held, nullptr, &many));
    REQUIRE(held != inner && many == 1, "%zu nodes", many);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(inner));
    CHECK(cudaGraphDestroy(other));
}

static void events()
{
    cudaGraph_t graph;
    cudaGraphNode_t record, wait;
    cudaEvent_t one, two, got = nullptr;
    CHECK(cudaEventCreateWithFlags(&one, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&two, cudaEventDisableTiming));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, one));
    CHECK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, one));
    CHECK(cudaGraphEventRecordNodeGetEvent(record, &got));
    REQUIRE(got == one, "another event");
    CHECK(cudaGraphEventRecordNodeSetEvent(record, two));
    CHECK(cudaGraphEventWaitNodeSetEvent(wait, two));
    CHECK(cudaGraphEventWaitNodeGetEvent(wait, &got));
    REQUIRE(got == two, "not set");
    cudaGraphExec_t exec = executable(graph);
    CHECK(cudaGraphExecEventRecordNodeSetEvent(exec, record, one));
    CHECK(cudaGraphExecEventWaitNodeSetEvent(exec, wait, one));
    run(exec);
    CHECK(cudaEventQuery(one));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(one));
    CHECK(cudaEventDestroy(two));
}

static void kernels_and_edges(unsigned *device)
{
    unsigned five = 5, six = 6, seen = 0;
    void *with_five[] = {&device, &five}, *with_six[] = {&device, &six};
    cudaGraph_t graph;
    cudaGraphNode_t one, two, found[2];
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void *>(step);
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = with_five;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddKernelNode(&one, graph, nullptr, 0, &params));
    CHECK(cudaGraphAddKernelNode(&two, graph, nullptr, 0, &params));
    size_t many = 2;
    CHECK(cudaGraphAddDependencies(graph, &one, &two, nullptr, 1));
    CHECK(cudaGraphNodeGetDependencies(two, found, nullptr, &many));
    REQUIRE(many == 1 && found[0] == one, "%zu before it", many);
    many = 2;
    CHECK(cudaGraphNodeGetDependentNodes(one, found, nullptr, &many));
    REQUIRE(many == 1 && found[0] == two, "%zu behind it", many);
    CHECK(cudaGraphRemoveDependencies(graph, &one, &two, nullptr, 1));
    many = 2;
    CHECK(cudaGraphNodeGetDependencies(two, found, nullptr, &many));
    REQUIRE(many == 0, "%zu before it", many);
    CHECK(cudaGraphAddDependencies(graph, &one, &two, nullptr, 1));
    cudaGraphExec_t exec = executable(graph);
    cudaGraphNodeParams any = {};
    any.type = cudaGraphNodeTypeKernel;
    any.kernel.func = params.func;
    any.kernel.gridDim = any.kernel.blockDim = dim3(1);
    any.kernel.kernelParams = with_six;
    CHECK(cudaGraphExecNodeSetParams(exec, two, &any));
    CHECK(cudaMemset(device, 0, 4));
    run(exec);
    host_copy(&seen, device, 1);
    REQUIRE(seen == 5 * 31 + 6, "%u", seen);
    CHECK(cudaGraphNodeSetParams(one, &any));
    CHECK(cudaGraphKernelNodeGetParams(one, &params));
    REQUIRE(*static_cast<unsigned *>(params.kernelParams[1]) == 6, "not set");
    cudaLaunchAttributeValue attribute = {};
    attribute.priority = -1;
    CHECK(cudaGraphKernelNodeSetAttribute(one, cudaLaunchAttributePriority, &attribute));
    CHECK(cudaGraphKernelNodeCopyAttributes(two, one));
    attribute.priority = 0;
    CHECK(cudaGraphKernelNodeGetAttribute(two, cudaLaunchAttributePriority, &attribute));
    REQUIRE(attribute.priority == -1, "priority %d", attribute.priority);

    char name[] = "/tmp/graph-XXXXXX", text[4096] = {};
    int file = mkstemp(name);
    CHECK(cudaGraphDebugDotPrint(graph, name, 0));
    FILE *written = fopen(name, "r");
    REQUIRE(written != nullptr && fread(text, 1, sizeof text - 1, written) > 0, "nothing was written");
    REQUIRE(strstr(text, "digraph") != nullptr && strstr(text, "->") != nullptr, "%s", text);
    fclose(written);
    close(file);
    unlink(name);
    CHECK(cudaGraphDestroyNode(two));
    CHECK(cudaGraphGetNodes(graph, nullptr, &many));
    REQUIRE(many == 1, "%zu nodes", many);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

static void memory()
{
    cudaGraph_t graph;
    cudaGraphNode_t take, give;
    cudaMemAllocNodeParams params = {}, asked = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 1 << 20;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &params));
    CHECK(cudaGraphMemAllocNodeGetParams(take, &asked));
    REQUIRE(asked.dptr == params.dptr && asked.bytesize == 1 << 20, "%zu bytes", asked.bytesize);
    CHECK(cudaGraphAddMemFreeNode(&give, graph, &take, 1, params.dptr));
    void *freed = nullptr;
    CHECK(cudaGraphMemFreeNodeGetParams(give, &freed));
    REQUIRE(freed == params.dptr, "another address");
    cudaGraphExec_t exec = executable(graph);
    run(exec);
    unsigned long long most = 1, zero = 0;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &most));
    REQUIRE(most >= 1 << 20, "%llu", most);
    CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &most));
    REQUIRE(most == 0, "%llu", most);
    CHECK(cudaGraphExecDestroy(exec));

    int gone = 0;
    cudaUserObject_t object;
    CHECK(cudaUserObjectCreate(&object, &gone, call, 1, cudaUserObjectNoDestructorSync));
    CHECK(cudaUserObjectRetain(object, 1));
    CHECK(cudaGraphRetainUserObject(graph, object, 1, 0));
    CHECK(cudaUserObjectRelease(object, 2));
    REQUIRE(gone == 0, "the graph still has it");
    CHECK(cudaGraphReleaseUserObject(graph, object, 1));
    REQUIRE(gone == 1, "nobody has it");
    CHECK(cudaGraphDestroy(graph));
}

int main()
{
    unsigned *device = device_array<unsigned>(1);
    CHECK(cudaStreamCreate(&stream));
    copies(device);
    fills_functions_children(device);
    events();
    kernels_and_edges(device);
    memory();
    printf("ok: nodes of graphs\n");
    return 0;
}
