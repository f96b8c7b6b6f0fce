/* Graphs: a launch is work for the device, and takes the memory of the graph's allocation nodes. */
#include <stdlib.h>

#include "books.h"
#include "pool.h"
#include "slice.h"
#include "time.h"
#include "vendor.h"
#include "whole.h"
#include "work.h"

/* Some graph of the process has memory nodes. */
static _Atomic bool any;

enum { DEEPEST = 32 };

/* Bytes that a graph's allocation nodes want, with those of graphs inside. */
static uint64_t wanted(CUgraph graph, int depth)
{
    size_t count = 0;
    if (depth > DEEPEST || facet_vendor.cuGraphGetNodes(graph, NULL, &count) != CUDA_SUCCESS || count == 0)
        return 0;
    CUgraphNode *nodes = calloc(count, sizeof *nodes);
    uint64_t bytes = 0;
    if (nodes == NULL || facet_vendor.cuGraphGetNodes(graph, nodes, &count) != CUDA_SUCCESS)
        count = 0;
    for (size_t i = 0; i < count; i++) {
        CUgraphNodeType type;
        CUDA_MEM_ALLOC_NODE_PARAMS memory;
        CUgraph child;
        uint64_t more = 0;
        if (facet_vendor.cuGraphNodeGetType(nodes[i], &type) != CUDA_SUCCESS)
            continue;
        if (type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && facet_vendor.cuGraphMemAllocNodeGetParams(nodes[i], &memory) == CUDA_SUCCESS)
            more = facet_slice_rounded(memory.bytesize);
        else if (type == CU_GRAPH_NODE_TYPE_GRAPH && facet_vendor.cuGraphChildGraphNodeGetGraph(nodes[i], &child) == CUDA_SUCCESS)
            more = wanted(child, depth + 1);
        if (__builtin_add_overflow(bytes, more, &bytes))
            bytes = UINT64_MAX;
    }
    free(nodes);
    return bytes;
}

static CUresult made(CUresult result, CUgraphExec exec, CUgraph graph)
{
    uint64_t bytes = result == CUDA_SUCCESS ? wanted(graph, 0) : 0;
    struct facet_where where = {0};
    if (bytes == 0)
        return result;
    facet_where(&where);
    struct facet_booked entry = {
        .key = (uint64_t)(uintptr_t)exec, .kind = FACET_BOOKED_GRAPH, .device = where.device, .bytes = bytes, .context = where.context};
    if (!facet_book(&entry)) {
        facet_vendor.cuGraphExecDestroy(exec);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    any = true;
    return CUDA_SUCCESS;
}

CUresult facet_direct_cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *node, char *log, size_t bytes)
{
    CUresult result = facet_vendor.cuGraphInstantiate_v2(exec, graph, node, log, bytes);
    return made(result, result == CUDA_SUCCESS ? *exec : NULL, graph);
}

CUresult facet_direct_cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    CUresult result = facet_vendor.cuGraphInstantiateWithFlags(exec, graph, flags);
    return made(result, result == CUDA_SUCCESS ? *exec : NULL, graph);
}

CUresult facet_direct_cuGraphInstantiateWithParams(bool per_thread, CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *parameters)
{
    CUresult result =
        (per_thread ? facet_vendor.cuGraphInstantiateWithParams_ptsz : facet_vendor.cuGraphInstantiateWithParams)(exec, graph, parameters);
    return made(result, result == CUDA_SUCCESS ? *exec : NULL, graph);
}

CUresult facet_direct_cuGraphExecDestroy(CUgraphExec exec)
{
    struct facet_booked entry;
    CUresult result = facet_vendor.cuGraphExecDestroy(exec);
    if (any && result == CUDA_SUCCESS) {
        facet_book_remove(FACET_BOOKED_GRAPH, (uint64_t)(uintptr_t)exec, &entry);
        facet_pools_settle();
    }
    return result;
}

/* What the graph needs is reserved before it is launched, as if nothing of it were there yet; then what its device really holds is charged. */
static CUresult with_memory(CUgraphExec exec, CUstream stream, CUresult (*call)(CUgraphExec exec, CUstream stream))
{
    struct facet_booked entry;
    struct facet_where where;
    if (!any || !facet_book_find(FACET_BOOKED_GRAPH, (uint64_t)(uintptr_t)exec, &entry))
        return call(exec, stream);
    CUresult result = facet_where(&where);
    if (result == CUDA_SUCCESS)
        result = facet_graphs_reserve(where.device, where.vendor, entry.bytes, &entry.bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = call(exec, stream);
    facet_graphs_settle(where.device, where.vendor, entry.bytes);
    return result;
}

CUresult facet_direct_cuGraphLaunch(bool per_thread, CUgraphExec exec, CUstream stream)
{
    struct facet_turn turn;
    facet_whole_tell(FACET_WHOLE_GRAPHS);
    CUresult result = facet_time_enter(&turn, FACET_WORK_GRAPH, stream == NULL && per_thread ? CU_STREAM_PER_THREAD : stream);
    if (result != CUDA_SUCCESS)
        return result;
    return facet_time_leave(&turn, with_memory(exec, stream, per_thread ? facet_vendor.cuGraphLaunch_ptsz : facet_vendor.cuGraphLaunch));
}

CUresult facet_direct_cuGraphUpload(bool per_thread, CUgraphExec exec, CUstream stream)
{
    return with_memory(exec, stream, per_thread ? facet_vendor.cuGraphUpload_ptsz : facet_vendor.cuGraphUpload);
}

CUresult facet_direct_cuDeviceGraphMemTrim(CUdevice device)
{
    CUresult result = facet_vendor.cuDeviceGraphMemTrim(device);
    facet_pools_settle();
    return result;
}
