/* Graphs by the driver API: each kind of node is asked what it is, changed in the graph and in the executable, in the calls of this and of
 * earlier versions of CUDA; edges; objects that a graph keeps alive. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "check.h"

#include <dlfcn.h>

/* cuda.h gives some names to the newest version: these are the symbols as they are. */
#define SYMBOL(name, ...) (((CUresult(*)())dlsym(RTLD_DEFAULT, name))(__VA_ARGS__))

static CUstream stream;
static CUfunction step;
static CUdeviceptr value;
static int calls[2];

static void first_call(void *data)
{
    calls[0] += *(int *)data;
}

static void second_call(void *data)
{
    calls[1] += *(int *)data;
}

static void destroyed(void *data)
{
    ++*(int *)data;
}

static unsigned run(CUgraphExec exec)
{
    unsigned seen = 0, zero = 0;
    CHECK(cuMemcpyHtoD(value, &zero, sizeof zero));
    /* It may have been staged only, and the stream does not wait for it. */
    CHECK(cuCtxSynchronize());
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyDtoH(&seen, value, sizeof seen));
    return seen;
}

static CUgraphExec executable(CUgraph graph)
{
    CUgraphExec exec;
    CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    return exec;
}

/* Without the fields that came with CUDA 12. */
static CUDA_KERNEL_NODE_PARAMS_v1 old_launch(void **arguments)
{
    CUDA_KERNEL_NODE_PARAMS_v1 params;
    memset(&params, 0, sizeof params);
    params.func = step;
    params.gridDimX = params.gridDimY = params.gridDimZ = params.blockDimX = params.blockDimY = params.blockDimZ = 1;
    params.kernelParams = arguments;
    return params;
}

static void kernels_change(void)
{
    unsigned numbers[3] = {5, 6, 7};
    void *arguments[3][2] = {{&value, &numbers[0]}, {&value, &numbers[1]}, {&value, &numbers[2]}};
    CUDA_KERNEL_NODE_PARAMS_v1 five = old_launch(arguments[0]), six = old_launch(arguments[1]), asked;
    CUgraph graph;
    CUgraphNode one, two;
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(SYMBOL("cuGraphAddKernelNode", &one, graph, NULL, (size_t)0, &five));
    CHECK(SYMBOL("cuGraphAddKernelNode", &two, graph, &one, (size_t)1, &five));
    CHECK(SYMBOL("cuGraphKernelNodeGetParams", two, &asked));
    REQUIRE(asked.func == step && asked.gridDimX == 1 && *(unsigned *)asked.kernelParams[1] == 5, "other parameters");
    CHECK(SYMBOL("cuGraphKernelNodeSetParams", two, &six));
    CUgraphExec exec = executable(graph);
    REQUIRE(run(exec) == 5 * 31 + 6, "set in the graph");
    CUDA_KERNEL_NODE_PARAMS seven;
    CHECK(cuGraphKernelNodeGetParams_v2(one, &seven));
    seven.kernelParams = arguments[2];
    CHECK(cuGraphKernelNodeSetParams_v2(one, &seven));
    REQUIRE(run(exec) == 5 * 31 + 6, "the executable has its own");
    CUgraphNode wrong = NULL;
    int why = -1;
    CHECK(SYMBOL("cuGraphExecUpdate", exec, graph, &wrong, &why));
    REQUIRE(why == CU_GRAPH_EXEC_UPDATE_SUCCESS && run(exec) == 7 * 31 + 6, "updated, result %d", why);
    CHECK(SYMBOL("cuGraphExecKernelNodeSetParams", exec, two, &five));
    REQUIRE(run(exec) == 7 * 31 + 5, "set in the executable");
    CUgraphNodeParams any;
    memset(&any, 0, sizeof any);
    any.type = CU_GRAPH_NODE_TYPE_KERNEL;
    any.kernel.func = step;
    any.kernel.gridDimX = any.kernel.gridDimY = any.kernel.gridDimZ = 1;
    any.kernel.blockDimX = any.kernel.blockDimY = any.kernel.blockDimZ = 1;
    any.kernel.kernelParams = arguments[1];
    CHECK(cuGraphExecNodeSetParams(exec, one, &any));
    REQUIRE(run(exec) == 6 * 31 + 5, "set by the call for all kinds");
    CHECK(cuGraphNodeSetParams(one, &any));
    CHECK(cuGraphKernelNodeGetParams_v2(one, &seven));
    REQUIRE(*(unsigned *)seven.kernelParams[1] == 6, "set in the graph by the call for all kinds");

    unsigned enabled = 7;
    CHECK(cuGraphNodeGetEnabled(exec, one, &enabled));
    REQUIRE(enabled == 1, "enabled %u", enabled);
    CHECK(cuGraphNodeSetEnabled(exec, one, 0));
    CHECK(cuGraphNodeGetEnabled(exec, one, &enabled));
    REQUIRE(enabled == 0 && run(exec) == 5, "without the first");
    CHECK(cuGraphNodeSetEnabled(exec, one, 1));
    REQUIRE(run(exec) == 6 * 31 + 5, "with it again");

    CUlaunchAttributeValue attribute;
    memset(&attribute, 0, sizeof attribute);
    attribute.priority = -1;
    CHECK(cuGraphKernelNodeSetAttribute(one, CU_LAUNCH_ATTRIBUTE_PRIORITY, &attribute));
    CHECK(cuGraphKernelNodeCopyAttributes(two, one));
    memset(&attribute, 0, sizeof attribute);
    CHECK(cuGraphKernelNodeGetAttribute(two, CU_LAUNCH_ATTRIBUTE_PRIORITY, &attribute));
    REQUIRE(attribute.priority == -1, "priority %d", attribute.priority);
    cuuint64_t flags = 99;
    CHECK(cuGraphExecGetFlags(exec, &flags));
    REQUIRE(flags == 0, "flags %llu", (unsigned long long)flags);
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(graph));
}

static void edges_change(void)
{
    CUgraph graph;
    CUgraphNode nodes[3], found[4], ends[4];
    CUgraphEdgeData data[4];
    size_t many = 4;
    CHECK(cuGraphCreate(&graph, 0));
    for (int i = 0; i < 3; i++)
        CHECK(cuGraphAddEmptyNode(&nodes[i], graph, NULL, 0));
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_KERNEL;
    CHECK(cuGraphNodeGetType(nodes[0], &type));
    REQUIRE(type == CU_GRAPH_NODE_TYPE_EMPTY, "type %d", (int)type);
    CHECK(SYMBOL("cuGraphAddDependencies", graph, &nodes[0], &nodes[1], (size_t)1));
    CHECK(SYMBOL("cuGraphAddDependencies_v2", graph, &nodes[1], &nodes[2], NULL, (size_t)1));
    CHECK(cuGraphGetRootNodes(graph, found, &many));
    REQUIRE(many == 1 && found[0] == nodes[0], "%zu roots", many);
    many = 4;
    CHECK(SYMBOL("cuGraphGetEdges", graph, found, ends, &many));
    REQUIRE(many == 2 && found[0] == nodes[0] && ends[0] == nodes[1] && ends[1] == nodes[2], "%zu edges", many);
    many = 0;
    CHECK(SYMBOL("cuGraphGetEdges_v2", graph, NULL, NULL, NULL, &many));
    REQUIRE(many == 2, "%zu edges", many);
    CHECK(SYMBOL("cuGraphGetEdges_v2", graph, found, ends, data, &many));
    REQUIRE(many == 2 && data[0].from_port == 0 && data[1].type == 0, "edges with data");
    many = 4;
    CHECK(SYMBOL("cuGraphNodeGetDependencies", nodes[2], found, &many));
    REQUIRE(many == 1 && found[0] == nodes[1], "%zu before it", many);
    many = 4;
    CHECK(SYMBOL("cuGraphNodeGetDependencies_v2", nodes[1], found, data, &many));
    REQUIRE(many == 1 && found[0] == nodes[0], "%zu before it", many);
    many = 4;
    CHECK(SYMBOL("cuGraphNodeGetDependentNodes", nodes[1], found, &many));
    REQUIRE(many == 1 && found[0] == nodes[2], "%zu behind it", many);
    EXPECT(SYMBOL("cuGraphAddDependencies", graph, &nodes[0], &nodes[0], (size_t)1), CUDA_ERROR_INVALID_VALUE);
    CHECK(SYMBOL("cuGraphRemoveDependencies", graph, &nodes[0], &nodes[1], (size_t)1));
    CHECK(SYMBOL("cuGraphRemoveDependencies_v2", graph, &nodes[1], &nodes[2], NULL, (size_t)1));
    many = 4;
    CHECK(cuGraphGetRootNodes(graph, found, &many));
    REQUIRE(many == 3, "%zu roots", many);
    EXPECT(SYMBOL("cuGraphRemoveDependencies", graph, &nodes[0], &nodes[1], (size_t)1), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuGraphDestroy(graph));
}

static void events_change(void)
{
    CUevent one, two, got = NULL;
    CUgraph graph;
    CUgraphNode record, wait;
    CHECK(cuEventCreate(&one, CU_EVENT_DISABLE_TIMING));
    CHECK(cuEventCreate(&two, CU_EVENT_DISABLE_TIMING));
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(cuGraphAddEventRecordNode(&record, graph, NULL, 0, one));
    CHECK(cuGraphAddEventWaitNode(&wait, graph, &record, 1, one));
    CHECK(cuGraphEventRecordNodeGetEvent(record, &got));
    REQUIRE(got == one, "another event");
    CHECK(cuGraphEventWaitNodeGetEvent(wait, &got));
    REQUIRE(got == one, "another event");
    CHECK(cuGraphEventRecordNodeSetEvent(record, two));
    CHECK(cuGraphEventWaitNodeSetEvent(wait, two));
    CHECK(cuGraphEventRecordNodeGetEvent(record, &got));
    REQUIRE(got == two, "not set");
    CHECK(cuGraphEventWaitNodeGetEvent(wait, &got));
    REQUIRE(got == two, "not set");
    EXPECT(cuGraphEventWaitNodeGetEvent(record, &got), CUDA_ERROR_INVALID_VALUE);
    CUgraphExec exec = executable(graph);
    CHECK(cuGraphExecEventRecordNodeSetEvent(exec, record, one));
    CHECK(cuGraphExecEventWaitNodeSetEvent(exec, wait, one));
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuEventSynchronize(one));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuEventQuery(one));
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(graph));
    CHECK(SYMBOL("cuEventDestroy", one));
    CHECK(cuEventDestroy(two));
}

static void fills_and_copies_change(void)
{
    CUcontext context;
    CUgraph graph;
    CUgraphNode fill, copy;
    unsigned out[2] = {0, 0};
    CHECK(cuCtxGetCurrent(&context));
    CUDA_MEMSET_NODE_PARAMS set = {.dst = value, .value = 3, .elementSize = 4, .width = 1, .height = 1}, set_asked;
    CUDA_MEMCPY3D read, read_asked;
    memset(&read, 0, sizeof read);
    read.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    read.srcDevice = value;
    read.dstMemoryType = CU_MEMORYTYPE_HOST;
    read.dstHost = &out[0];
    read.WidthInBytes = 4;
    read.Height = read.Depth = 1;
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(cuGraphAddMemsetNode(&fill, graph, NULL, 0, &set, context));
    CHECK(cuGraphAddMemcpyNode(&copy, graph, &fill, 1, &read, context));
    CHECK(cuGraphMemsetNodeGetParams(fill, &set_asked));
    REQUIRE(set_asked.value == 3 && set_asked.dst == value, "other parameters");
    CHECK(cuGraphMemcpyNodeGetParams(copy, &read_asked));
    REQUIRE(read_asked.dstHost == &out[0] && read_asked.WidthInBytes == 4, "other parameters");
    set.value = 4;
    CHECK(cuGraphMemsetNodeSetParams(fill, &set));
    CUgraphExec exec = executable(graph);
    REQUIRE(run(exec) == 4 && out[0] == 4, "%u", out[0]);
    set.value = 9;
    CHECK(cuGraphExecMemsetNodeSetParams(exec, fill, &set, context));
    read.dstHost = &out[1];
    CHECK(cuGraphExecMemcpyNodeSetParams(exec, copy, &read, context));
    REQUIRE(run(exec) == 9 && out[0] == 4 && out[1] == 9, "%u %u", out[0], out[1]);
    CHECK(cuGraphMemcpyNodeSetParams(copy, &read));
    CHECK(cuGraphMemcpyNodeGetParams(copy, &read_asked));
    REQUIRE(read_asked.dstHost == &out[1], "not set");
    EXPECT(cuGraphMemcpyNodeGetParams(fill, &read_asked), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(graph));
}

static void functions_and_children_change(void)
{
    static int one = 1, ten = 10;
    CUgraph graph, child, other, got = NULL;
    CUgraphNode host, inside, node;
    CUDA_HOST_NODE_PARAMS first = {.fn = first_call, .userData = &one}, second = {.fn = second_call, .userData = &ten}, asked;
    CHECK(cuGraphCreate(&child, 0));
    CHECK(cuGraphAddHostNode(&inside, child, NULL, 0, &first));
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(cuGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    CHECK(cuGraphAddHostNode(&host, graph, &node, 1, &first));
    CHECK(cuGraphHostNodeGetParams(host, &asked));
    REQUIRE(asked.fn == first_call && asked.userData == &one, "other parameters");
    CHECK(cuGraphHostNodeSetParams(host, &second));
    CHECK(cuGraphChildGraphNodeGetGraph(node, &got));
    size_t many = 0;
    CHECK(cuGraphGetNodes(got, NULL, &many));
    REQUIRE(got != child && many == 1, "a copy of the child has %zu nodes", many);
    CUgraphExec exec = executable(graph);
    run(exec);
    REQUIRE(calls[0] == 1 && calls[1] == 10, "%d %d", calls[0], calls[1]);
    CHECK(cuGraphExecHostNodeSetParams(exec, host, &first));
    CHECK(cuGraphClone(&other, child));
    CHECK(cuGraphNodeFindInClone(&inside, inside, other));
    CHECK(cuGraphHostNodeSetParams(inside, &second));
    CHECK(cuGraphExecChildGraphNodeSetParams(exec, node, other));
    run(exec);
    REQUIRE(calls[0] == 2 && calls[1] == 20, "%d %d", calls[0], calls[1]);
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(graph));
    CHECK(cuGraphDestroy(child));
    CHECK(cuGraphDestroy(other));
}

static void memory_of_graphs(void)
{
    CUgraph graph;
    CUgraphNode take, give;
    CUDA_MEM_ALLOC_NODE_PARAMS params, asked;
    memset(&params, 0, sizeof params);
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    params.bytesize = 1 << 20;
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(cuGraphAddMemAllocNode(&take, graph, NULL, 0, &params));
    CHECK(cuGraphMemAllocNodeGetParams(take, &asked));
    REQUIRE(params.dptr != 0 && asked.dptr == params.dptr && asked.bytesize == 1 << 20, "other parameters");
    CHECK(cuGraphAddMemFreeNode(&give, graph, &take, 1, params.dptr));
    CUdeviceptr freed = 0;
    CHECK(cuGraphMemFreeNodeGetParams(give, &freed));
    REQUIRE(freed == params.dptr, "another address");
    CUgraphExec exec = executable(graph);
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuStreamSynchronize(stream));
    cuuint64_t most = 0, used = 1, reset = 0;
    CUdevice device;
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &most));
    CHECK(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    REQUIRE(most >= 1 << 20 && used == 0, "%llu at most, %llu now", (unsigned long long)most, (unsigned long long)used);
    CHECK(cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &reset));
    CHECK(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &most));
    REQUIRE(most == 0, "%llu", (unsigned long long)most);
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(graph));
    CHECK(cuDeviceGraphMemTrim(device));
    CHECK(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &used));
    REQUIRE(used == 0, "%llu are still reserved", (unsigned long long)used);
}

static void objects_live_as_long(void)
{
    int gone = 0;
    CUuserObject object;
    CUgraph graph;
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(cuUserObjectCreate(&object, &gone, destroyed, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CHECK(cuUserObjectRetain(object, 2));
    CHECK(cuUserObjectRelease(object, 2));
    CHECK(cuGraphRetainUserObject(graph, object, 2, 0));
    CHECK(cuGraphReleaseUserObject(graph, object, 1));
    CHECK(cuUserObjectRelease(object, 1));
    REQUIRE(gone == 0, "the graph still has it");
    CHECK(cuGraphDestroy(graph));
    for (int i = 0; i < 100000 && __atomic_load_n(&gone, __ATOMIC_SEQ_CST) == 0; i++)
        CHECK(cuStreamSynchronize(stream));
    REQUIRE(__atomic_load_n(&gone, __ATOMIC_SEQ_CST) == 1, "destroyed %d times", gone);
}

int main(void)
{
    open_device();
    step = kernel(load_kernels(), "step");
    value = allocate(4);
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    kernels_change();
    edges_change();
    events_change();
    fills_and_copies_change();
    functions_and_children_change();
    memory_of_graphs();
    objects_live_as_long();
    printf("ok graph nodes\n");
    return 0;
}
