/* Graphs by the driver API: nodes of all kinds, lists, updates, what is refused. */
// stderr: graph nodes updated by the device: not supported
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static int calls;

static void count(void *data)
{
    (void)data;
    calls++;
}

static CUDA_KERNEL_NODE_PARAMS launch(CUfunction function, void **arguments)
{
    CUDA_KERNEL_NODE_PARAMS params;
    memset(&params, 0, sizeof params);
    params.func = function;
    params.gridDimX = params.gridDimY = params.gridDimZ = params.blockDimX = params.blockDimY = params.blockDimZ = 1;
    params.kernelParams = arguments;
    return params;
}

static CUDA_MEMCPY3D rows(CUdeviceptr device, void *host, bool leaves)
{
    CUDA_MEMCPY3D copy;
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = leaves ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    copy.dstMemoryType = leaves ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = copy.dstDevice = device;
    copy.srcHost = copy.dstHost = host;
    copy.srcPitch = leaves ? 64 : 16;
    copy.dstPitch = leaves ? 16 : 64;
    copy.srcHeight = copy.dstHeight = 4;
    copy.WidthInBytes = 16;
    copy.Height = 4;
    copy.Depth = 2;
    return copy;
}

int main(void)
{
    open_device();
    CUmodule module = load_kernels();
    CUfunction step = kernel(module, "step");
    CUdeviceptr value = allocate(4), box = allocate(1024);
    unsigned numbers[2] = {3, 4}, seen = 0, in[32], out[32];
    void *first_arguments[] = {&value, &numbers[0]}, *second_arguments[] = {&value, &numbers[1]};
    CUDA_KERNEL_NODE_PARAMS first = launch(step, first_arguments), second = launch(step, second_arguments);
    CUstream stream;
    CUgraph graph, clone, child;
    CUgraphNode fill, one, two, host, into, from, list[8], found;
    CUgraphExec exec;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (unsigned i = 0; i < 32; i++)
        in[i] = i * i + 1;
    memset(out, 0, sizeof out);

    CHECK(cuGraphCreate(&graph, 0));
    CUDA_MEMSET_NODE_PARAMS set = {.dst = value, .value = 1, .elementSize = 4, .width = 1, .height = 1};
    CHECK(cuGraphAddMemsetNode(&fill, graph, NULL, 0, &set, NULL));
    CHECK(cuGraphAddKernelNode_v2(&one, graph, &fill, 1, &first));
    CHECK(cuGraphAddKernelNode_v2(&two, graph, &one, 1, &second));
    CUDA_HOST_NODE_PARAMS function = {.fn = count};
    CHECK(cuGraphAddHostNode(&host, graph, &two, 1, &function));
    /* Pageable memory, in rows and slices, there and back; beside the others. */
    CUDA_MEMCPY3D to_device = rows(box, in, false), to_host = rows(box, out, true);
    CHECK(cuGraphAddMemcpyNode(&into, graph, NULL, 0, &to_device, NULL));
    CHECK(cuGraphAddMemcpyNode(&from, graph, &into, 1, &to_host, NULL));
    CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    unsigned expected = (1 * 31 + 3) * 31 + 4;
    for (int i = 1; i <= 3; i++) {
        CHECK(cuGraphLaunch(exec, stream));
        CHECK(cuStreamSynchronize(stream));
        CHECK(cuMemcpyDtoH_v2(&seen, value, 4));
        REQUIRE(seen == expected && calls == i, "%u, expected %u; %d calls", seen, expected, calls);
        REQUIRE(memcmp(in, out, sizeof in) == 0, "the rows differ");
        in[i] += 7;
    }

    size_t many = 8;
    CHECK(cuGraphGetNodes(graph, list, &many));
    REQUIRE(many == 6 && list[0] == fill && list[7] == NULL, "%zu nodes", many);
    many = 1;
    CHECK(cuGraphNodeGetDependentNodes_v2(fill, list, NULL, &many));
    REQUIRE(many == 1 && list[0] == one, "%zu behind it", many);
    CUDA_KERNEL_NODE_PARAMS asked;
    CHECK(cuGraphKernelNodeGetParams_v2(two, &asked));
    REQUIRE(asked.func == step && *(unsigned *)asked.kernelParams[1] == 4, "other parameters");

    /* The executable keeps its own; what is refused leaves it as it was. */
    CHECK(cuGraphExecKernelNodeSetParams_v2(exec, two, &first));
    CUDA_KERNEL_NODE_PARAMS wrong = first;
    wrong.gridDimX = 0;
    EXPECT(cuGraphExecKernelNodeSetParams_v2(exec, one, &wrong), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphExecKernelNodeSetParams_v2(exec, fill, &first), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyDtoH_v2(&seen, value, 4));
    REQUIRE(seen == (1 * 31 + 3) * 31 + 3, "%u", seen);

    CHECK(cuGraphClone(&clone, graph));
    CHECK(cuGraphNodeFindInClone(&found, one, clone));
    CHECK(cuGraphDestroyNode(found));
    CUgraphExecUpdateResultInfo info;
    EXPECT(cuGraphExecUpdate_v2(exec, clone, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    REQUIRE(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, "result %d", (int)info.result);
    CHECK(cuGraphExecUpdate_v2(exec, graph, &info));
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyDtoH_v2(&seen, value, 4));
    REQUIRE(seen == expected, "%u", seen);

    CHECK(cuGraphCreate(&child, 0));
    CHECK(cuGraphAddChildGraphNode(&found, child, NULL, 0, graph));
    EXPECT(cuGraphAddChildGraphNode(&found, child, NULL, 0, child), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphAddKernelNode_v2(&found, child, &one, 1, &first), CUDA_ERROR_INVALID_VALUE); /* of another graph */
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH};
    CUgraphExec none;
    EXPECT(cuGraphInstantiateWithParams(&none, child, &params), CUDA_ERROR_NOT_SUPPORTED);
    CUkernelNodeAttrValue attribute = {.deviceUpdatableKernelNode = {.deviceUpdatable = 1}};
    EXPECT(cuGraphKernelNodeSetAttribute(one, CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE, &attribute), CUDA_ERROR_NOT_SUPPORTED);

    char path[] = "/tmp/graph-XXXXXX";
    int file = mkstemp(path);
    REQUIRE(file >= 0, "no file");
    CHECK(cuGraphDebugDotPrint(graph, path, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
    REQUIRE(lseek(file, 0, SEEK_END) > 100, "nothing was written");
    close(file);
    unlink(path);

    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(child));
    CHECK(cuGraphDestroy(clone));
    CHECK(cuGraphDestroy(graph));
    EXPECT(cuGraphDestroy(graph), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphLaunch(exec, stream), CUDA_ERROR_INVALID_VALUE);
    printf("ok graphs\n");
    return 0;
}
