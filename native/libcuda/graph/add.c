/* Graphs and nodes: making and destroying them. */
#include <string.h>

#include "graph.h"

static CUresult connect(struct facet_node *node, const CUgraphNode *dependencies, const CUgraphEdgeData *data, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CUresult result = facet_edge_add(facet_node_of(dependencies[i]), node, data == NULL ? NULL : &data[i]);
        if (result != CUDA_SUCCESS)
            return result;
    }
    return CUDA_SUCCESS;
}

/* What may be inside the body of a conditional node. */
static bool may_be_in_body(CUgraphNodeType type)
{
    return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_EMPTY || type == CU_GRAPH_NODE_TYPE_GRAPH ||
           type == CU_GRAPH_NODE_TYPE_MEMSET || type == CU_GRAPH_NODE_TYPE_MEMCPY || type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
}

static uint32_t outer_depth(const struct facet_graph *graph)
{
    uint32_t depth = 0;
    for (; graph != NULL; graph = graph->parent)
        depth++;
    return depth;
}

static bool in_body(const struct facet_graph *graph)
{
    for (; graph != NULL; graph = graph->parent)
        if (graph->body)
            return true;
    return false;
}

static CUresult check_place(const struct facet_graph *graph, const struct facet_work *work)
{
    uint32_t size = 1, depth = outer_depth(graph);
    if (work->type == CU_GRAPH_NODE_TYPE_GRAPH) {
        size += facet_graph_size(work->child);
        depth += facet_graph_depth(work->child);
    }
    if (facet_graph_size(graph) > FACET_GRAPH_NODES - size || depth > FACET_GRAPH_DEPTH) {
        facet_say("a graph has at most %d nodes, and %d graphs inside each other", FACET_GRAPH_NODES, FACET_GRAPH_DEPTH);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

CUresult facet_graph_add(struct facet_node **node, CUgraph handle, const CUgraphNode *dependencies, const CUgraphEdgeData *data, size_t count,
                         CUgraphNodeParams *params)
{
    struct facet_graph *graph = facet_graph_of(handle);
    if (graph == NULL || params == NULL || (params->type == CU_GRAPH_NODE_TYPE_GRAPH && params->graph.graph == handle))
        return CUDA_ERROR_INVALID_VALUE;
    if (in_body(graph) && !may_be_in_body(params->type))
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult result = facet_edges_check(graph, dependencies, data, count);
    struct facet_work work;
    if (result == CUDA_SUCCESS)
        result = facet_work_make(params, true, &work);
    if (result != CUDA_SUCCESS)
        return result;
    result = check_place(graph, &work);
    if (result != CUDA_SUCCESS) {
        facet_work_free(&work);
        return result;
    }
    result = facet_node_new(graph, &work, node);
    if (result != CUDA_SUCCESS)
        return result;
    result = connect(*node, dependencies, data, count);
    if (result != CUDA_SUCCESS) {
        facet_node_free(*node);
        return result;
    }
    if (params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        params->alloc.dptr = work.memory->address;
    if (params->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        params->conditional.phGraph_out = work.conditional.bodies;
    if (params->type == CU_GRAPH_NODE_TYPE_GRAPH)
        params->graph.graph = (CUgraph)work.child;
    return CUDA_SUCCESS;
}

/* ---- calls */

static CUresult add(CUgraphNode *handle, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data, size_t count,
                    CUgraphNodeParams *params)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    facet_graph_enter();
    struct facet_node *node;
    result = facet_graph_add(&node, graph, dependencies, data, count, params);
    if (result == CUDA_SUCCESS)
        *handle = (CUgraphNode)node;
    return facet_graph_leave(result);
}

CUresult facet_cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data, size_t count,
                                 CUgraphNodeParams *params)
{
    if (params == NULL || params->reserved0[0] != 0 || params->reserved0[1] != 0 || params->reserved0[2] != 0 || params->reserved2 != 0)
        return CUDA_ERROR_INVALID_VALUE;
    return add(node, graph, dependencies, data, count, params);
}

CUresult facet_cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUgraphNodeParams *params)
{
    return facet_cuGraphAddNode_v2(node, graph, dependencies, NULL, count, params);
}

CUresult facet_cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                       const CUDA_KERNEL_NODE_PARAMS_v2 *given)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
    if (given == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&params.kernel, given, sizeof *given);
    return add(node, graph, dependencies, NULL, count, &params);
}

CUresult facet_cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                    const CUDA_KERNEL_NODE_PARAMS_v1 *given)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
    if (given == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&params.kernel, given, sizeof *given);
    return add(node, graph, dependencies, NULL, count, &params);
}

CUresult facet_cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, const CUDA_MEMCPY3D *given,
                                    CUcontext context)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    if (given == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    params.memcpy = (CUDA_MEMCPY_NODE_PARAMS){.copyCtx = context, .copyParams = *given};
    return add(node, graph, dependencies, NULL, count, &params);
}

CUresult facet_cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                    const CUDA_MEMSET_NODE_PARAMS_v1 *given, CUcontext context)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    if (given == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&params.memset, given, sizeof *given);
    params.memset.ctx = context;
    return add(node, graph, dependencies, NULL, count, &params);
}

CUresult facet_cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                  const CUDA_HOST_NODE_PARAMS_v1 *given)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_HOST};
    if (given == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&params.host, given, sizeof *given);
    return add(node, graph, dependencies, NULL, count, &params);
}

CUresult facet_cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUgraph child)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph = {.graph = child}};
    return add(node, graph, dependencies, NULL, count, &params);
}

CUresult facet_cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    return add(node, graph, dependencies, NULL, count, &params);
}

CUresult facet_cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUevent event)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {.event = event}};
    return add(node, graph, dependencies, NULL, count, &params);
}

CUresult facet_cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUevent event)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {.event = event}};
    return add(node, graph, dependencies, NULL, count, &params);
}

CUresult facet_cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                      CUDA_MEM_ALLOC_NODE_PARAMS_v1 *given)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    if (given == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&params.alloc, given, sizeof *given);
    CUresult result = add(node, graph, dependencies, NULL, count, &params);
    if (result == CUDA_SUCCESS)
        given->dptr = params.alloc.dptr;
    return result;
}

CUresult facet_cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUdeviceptr address)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {.dptr = address}};
    return add(node, graph, dependencies, NULL, count, &params);
}

CUresult facet_cuGraphCreate(CUgraph *handle, unsigned int flags)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS || flags != 0)
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    facet_graph_enter();
    struct facet_graph *graph = facet_graph_new();
    if (graph != NULL)
        *handle = (CUgraph)graph;
    return facet_graph_leave(graph == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS);
}

CUresult facet_cuGraphDestroy(CUgraph handle)
{
    facet_graph_enter();
    struct facet_graph *graph = facet_graph_of(handle);
    bool good = graph != NULL && graph->parent == NULL && graph->capture == NULL;
    if (good)
        facet_graph_free(graph);
    return facet_graph_leave(good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* Without memory nodes: what they allocate has one owner. */
static CUresult copy(CUgraph *handle, const struct facet_graph *graph)
{
    if (graph == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_graph_has(graph, CU_GRAPH_NODE_TYPE_CONDITIONAL) || facet_graph_has(graph, CU_GRAPH_NODE_TYPE_MEM_ALLOC) ||
        facet_graph_has(graph, CU_GRAPH_NODE_TYPE_MEM_FREE))
        return CUDA_ERROR_NOT_SUPPORTED;
    struct facet_graph *made;
    CUresult result = facet_graph_copy(graph, &made);
    if (result == CUDA_SUCCESS)
        *handle = (CUgraph)made;
    return result;
}

CUresult facet_cuGraphClone(CUgraph *clone, CUgraph handle)
{
    facet_graph_enter();
    return facet_graph_leave(copy(clone, facet_graph_of(handle)));
}

CUresult facet_cuGraphDestroyNode(CUgraphNode handle)
{
    facet_graph_enter();
    struct facet_node *node = facet_node_of(handle);
    CUresult result = node == NULL || node->graph->capture != NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS && (node->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->work.type == CU_GRAPH_NODE_TYPE_MEM_FREE))
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS)
        facet_node_free(node);
    return facet_graph_leave(result);
}
