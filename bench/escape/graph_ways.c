/* Graphs: memory that their nodes allocate, and work that one call starts. */
#include <unistd.h>

#include "escape.h"

#define MIB ((size_t)1 << 20)
enum { NODES = 64, GRAPHS = 4096 };

/* Address, and the executable that allocates it. */
static struct {
    CUdeviceptr address;
    CUgraph graph;
    CUgraphExec exec;
} made[GRAPHS];
static int made_count;

static void give_graph(CUdeviceptr address)
{
    for (int i = 0; i < made_count; i++)
        if (made[i].address == address) {
            MUST(cuMemFree_v2(address));
            MUST(cuGraphExecDestroy(made[i].exec));
            MUST(cuGraphDestroy(made[i].graph));
            made[i] = made[--made_count];
            return;
        }
}

static CUresult node_of(CUgraph graph, size_t bytes, CUdeviceptr *address)
{
    CUDA_MEM_ALLOC_NODE_PARAMS params;
    CUgraphNode node;
    memset(&params, 0, sizeof params);
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    params.bytesize = bytes;
    CUresult result = cuGraphAddMemAllocNode(&node, graph, NULL, 0, &params);
    *address = params.dptr;
    return result;
}

/* Launched, or only made ready for it: both take the memory. */
static int take_by(size_t bytes, bool uploads)
{
    CUgraph graph;
    CUgraphExec exec;
    CUdeviceptr address = 0;
    if (made_count == GRAPHS)
        return CUDA_ERROR_OUT_OF_MEMORY;
    MUST(cuGraphCreate(&graph, 0));
    CUresult result = node_of(graph, bytes, &address);
    if (result != CUDA_SUCCESS) {
        MUST(cuGraphDestroy(graph));
        return result;
    }
    MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
    result = uploads ? cuGraphUpload(exec, NULL) : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS)
        result = cuGraphLaunch(exec, NULL);
    if (result != CUDA_SUCCESS) {
        MUST(cuGraphExecDestroy(exec));
        MUST(cuGraphDestroy(graph));
        return result;
    }
    MUST(cuStreamSynchronize(NULL));
    made[made_count].address = address;
    made[made_count].graph = graph;
    made[made_count++].exec = exec;
    got_by(address, bytes, give_graph);
    return CUDA_SUCCESS;
}

static int take_launched(size_t bytes)
{
    return take_by(bytes, false);
}

static int take_uploaded(size_t bytes)
{
    return take_by(bytes, true);
}

static int nodes(size_t want)
{
    return take_pieces(want, 4 * MIB, take_launched);
}

static int uploads(size_t want)
{
    return take_pieces(want, 4 * MIB, take_uploaded);
}

/* Captured, which says how much only when it is launched. */
static int take_captured(size_t bytes)
{
    CUstream stream;
    CUgraph graph;
    CUgraphExec exec;
    CUdeviceptr address = 0;
    if (made_count == GRAPHS)
        return CUDA_ERROR_OUT_OF_MEMORY;
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    MUST(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    CUresult result = cuMemAllocAsync(&address, bytes, stream);
    CUresult ended = cuStreamEndCapture(stream, &graph);
    MUST(cuStreamDestroy_v2(stream));
    if (result != CUDA_SUCCESS)
        return result;
    MUST(ended);
    MUST(cuGraphInstantiate_v2(&exec, graph, NULL, NULL, 0));
    result = cuGraphLaunch(exec, NULL);
    if (result != CUDA_SUCCESS) {
        MUST(cuGraphExecDestroy(exec));
        MUST(cuGraphDestroy(graph));
        return result;
    }
    MUST(cuStreamSynchronize(NULL));
    made[made_count].address = address;
    made[made_count].graph = graph;
    made[made_count++].exec = exec;
    got_by(address, bytes, give_graph);
    return CUDA_SUCCESS;
}

static int captured(size_t want)
{
    return take_pieces(want, 4 * MIB, take_captured);
}

/* A chain of launches that one call starts. */
static void work(void)
{
    CUdeviceptr dummy = 0;
    uint64_t rounds = 20000;
    CUgraph graph;
    CUgraphNode last = NULL;
    CUgraphExec exec;
    void *arguments[] = {&rounds, &dummy};
    CUDA_KERNEL_NODE_PARAMS params;
    memset(&params, 0, sizeof params);
    params.func = kernel("work");
    params.gridDimX = 16;
    params.blockDimX = 64;
    params.gridDimY = params.gridDimZ = params.blockDimY = params.blockDimZ = 1;
    params.kernelParams = arguments;
    MUST(cuGraphCreate(&graph, 0));
    for (int i = 0; i < NODES; i++)
        MUST(cuGraphAddKernelNode_v2(&last, graph, &last, i == 0 ? 0 : 1, &params));
    MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
    while (!stopped()) {
        MUST(cuGraphLaunch(exec, NULL));
        MUST(cuGraphLaunch(exec, NULL));
        MUST(cuStreamSynchronize(NULL));
    }
}

/* A loop on the device that has no end, and nothing in it. */
static void endless(void)
{
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    CUgraphConditionalHandle handle;
    CUgraphNodeParams params;
    memset(&params, 0, sizeof params);
    MUST(cuGraphCreate(&graph, 0));
    MUST(cuGraphConditionalHandleCreate(&handle, graph, NULL, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.conditional.handle = handle;
    params.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
    params.conditional.size = 1;
    MUST(cuGraphAddNode(&node, graph, NULL, 0, &params));
    MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
    MUST(cuGraphLaunch(exec, NULL));
    while (!stopped())
        usleep(1000);
    _exit(0);
}

#define MEMORY_CALLS                                                                                                                          \
    "cuGraphCreate cuGraphAddMemAllocNode cuGraphInstantiate cuGraphInstantiate_v2 cuGraphInstantiateWithFlags cuGraphInstantiateWithParams " \
    "cuGraphLaunch cuGraphUpload cuGraphClone cudaGraphCreate cudaGraphAddMemAllocNode cudaGraphInstantiate cudaGraphInstantiateWithFlags "   \
    "cudaGraphInstantiateWithParams cudaGraphLaunch cudaGraphUpload cudaGraphClone"

#define WORK_CALLS                                                                                                                            \
    "cuGraphLaunch cuGraphAddKernelNode cuGraphAddKernelNode_v2 cuGraphAddMemcpyNode cuGraphAddMemsetNode cuGraphAddHostNode "                \
    "cuGraphAddChildGraphNode cuGraphAddNode cuGraphAddNode_v2 cudaGraphAddKernelNode cudaGraphAddMemcpyNode cudaGraphAddMemcpyNode1D "       \
    "cudaGraphAddMemcpyNodeToSymbol cudaGraphAddMemcpyNodeFromSymbol cudaGraphAddMemsetNode cudaGraphAddHostNode cudaGraphAddChildGraphNode " \
    "cudaGraphAddNode cudaGraphAddNode_v2"

const struct way graph_ways[] = {
    {.name = "graph-memory", .kind = MEMORY, .take = nodes, .calls = MEMORY_CALLS},
    {.name = "graph-upload", .kind = MEMORY, .take = uploads, .calls = "cuGraphUpload cudaGraphUpload"},
    {.name = "graph-captured-memory",
     .kind = MEMORY,
     .take = captured,
     .calls = "cuStreamBeginCapture cuStreamBeginCapture_v2 cuStreamBeginCaptureToGraph cuStreamEndCapture cudaStreamBeginCapture "
              "cudaStreamBeginCaptureToGraph cudaStreamEndCapture"},
    {.name = "graph-launch", .kind = COMPUTE, .work = work, .calls = WORK_CALLS},
    {.name = "graph-loop", .kind = ENDLESS, .work = endless, .calls = "cuGraphConditionalHandleCreate cudaGraphConditionalHandleCreate"},
    {.name = NULL},
};
