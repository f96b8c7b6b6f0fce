/* Graphs, nodes that do not copy, and executable graphs. Most calls are the driver's. */
#include "graph.h"

#include <string.h>

/* A call that is the driver's, with the same arguments. */
#define SAME(name, driver, parameters, arguments) \
    cudaError_t facet_##name parameters           \
    {                                             \
        return facet_finish(driver arguments);    \
    }

cudaError_t facet_cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuGraphCreate(graph, flags) : result);
}

SAME(cudaGraphDestroy, cuGraphDestroy, (cudaGraph_t graph), (graph))
SAME(cudaGraphClone, cuGraphClone, (cudaGraph_t * clone, cudaGraph_t graph), (clone, graph))
SAME(cudaGraphDestroyNode, cuGraphDestroyNode, (cudaGraphNode_t node), (node))

/* ---- adding */

#define ADD(name, last, argument)                                                                                                                    \
    SAME(cudaGraphAdd##name, cuGraphAdd##name, (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count, last), \
         (node, graph, dependencies, count, argument))

ADD(HostNode, const CUDA_HOST_NODE_PARAMS_v1 *params, params)
ADD(ChildGraphNode, cudaGraph_t child, child)
ADD(EventRecordNode, cudaEvent_t event, event)
ADD(EventWaitNode, cudaEvent_t event, event)
ADD(MemAllocNode, CUDA_MEM_ALLOC_NODE_PARAMS_v1 *params, params)
ADD(MemFreeNode, void *address, (CUdeviceptr)(uintptr_t)address)
SAME(cudaGraphAddEmptyNode, cuGraphAddEmptyNode, (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count),
     (node, graph, dependencies, count))
SAME(cudaGraphAddMemsetNode, cuGraphAddMemsetNode,
     (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count, const CUDA_MEMSET_NODE_PARAMS_v1 *params),
     (node, graph, dependencies, count, params, NULL))

cudaError_t facet_cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                                         const struct cudaKernelNodeParams *given)
{
    CUgraphNodeParams params;
    cudaError_t error = facet_kernel_params(given, &params);
    return facet_latch(error == cudaSuccess ? facet_error(cuGraphAddNode_v2(node, graph, dependencies, NULL, count, &params)) : error);
}

cudaError_t facet_cudaGraphAddNode_13(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, const CUgraphEdgeData *data,
                                      size_t count, struct cudaGraphNodeParams *given)
{
    CUgraphNodeParams params;
    cudaError_t error = facet_node_params(given, &params);
    if (error == cudaSuccess)
        error = facet_error(cuGraphAddNode_v2(node, graph, dependencies, data, count, &params));
    if (error != cudaSuccess)
        return facet_latch(error);
    if (given->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        given->alloc.dptr = params.alloc.dptr;
    if (given->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        given->conditional.phGraph_out = params.conditional.phGraph_out;
    if (given->type == CU_GRAPH_NODE_TYPE_GRAPH)
        given->graph.graph = params.graph.graph;
    return cudaSuccess;
}

cudaError_t facet_cudaGraphAddNode_12(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                                      struct cudaGraphNodeParams *params)
{
    return facet_cudaGraphAddNode_13(node, graph, dependencies, NULL, count, params);
}

SAME(cudaGraphConditionalHandleCreate, cuGraphConditionalHandleCreate,
     (CUgraphConditionalHandle * handle, cudaGraph_t graph, unsigned value, unsigned flags), (handle, graph, NULL, value, flags))

/* ---- edges */

SAME(cudaGraphAddDependencies_12, cuGraphAddDependencies, (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
     (graph, from, to, count))
SAME(cudaGraphAddDependencies_13, cuGraphAddDependencies_v2,
     (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const CUgraphEdgeData *data, size_t count),
     (graph, from, to, data, count))
SAME(cudaGraphRemoveDependencies_12, cuGraphRemoveDependencies,
     (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count), (graph, from, to, count))
SAME(cudaGraphRemoveDependencies_13, cuGraphRemoveDependencies_v2,
     (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const CUgraphEdgeData *data, size_t count),
     (graph, from, to, data, count))
SAME(cudaGraphGetEdges_12, cuGraphGetEdges, (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count), (graph, from, to, count))
SAME(cudaGraphGetEdges_13, cuGraphGetEdges_v2, (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, CUgraphEdgeData *data, size_t *count),
     (graph, from, to, data, count))
SAME(cudaGraphNodeGetDependencies_12, cuGraphNodeGetDependencies, (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count), (node, nodes, count))
SAME(cudaGraphNodeGetDependencies_13, cuGraphNodeGetDependencies_v2,
     (cudaGraphNode_t node, cudaGraphNode_t *nodes, CUgraphEdgeData *data, size_t *count), (node, nodes, data, count))
SAME(cudaGraphNodeGetDependentNodes_12, cuGraphNodeGetDependentNodes, (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count),
     (node, nodes, count))
SAME(cudaGraphNodeGetDependentNodes_13, cuGraphNodeGetDependentNodes_v2,
     (cudaGraphNode_t node, cudaGraphNode_t *nodes, CUgraphEdgeData *data, size_t *count), (node, nodes, data, count))
SAME(cudaGraphGetNodes, cuGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count), (graph, nodes, count))
SAME(cudaGraphGetRootNodes, cuGraphGetRootNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count), (graph, nodes, count))
SAME(cudaGraphNodeGetType, cuGraphNodeGetType, (cudaGraphNode_t node, CUgraphNodeType *type), (node, type))
SAME(cudaGraphNodeFindInClone, cuGraphNodeFindInClone, (cudaGraphNode_t * node, cudaGraphNode_t original, cudaGraph_t clone), (node, original, clone))
SAME(cudaGraphChildGraphNodeGetGraph, cuGraphChildGraphNodeGetGraph, (cudaGraphNode_t node, cudaGraph_t *graph), (node, graph))

/* ---- parameters */

cudaError_t facet_cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{
    CUDA_KERNEL_NODE_PARAMS_v2 found;
    CUresult result = params == NULL ? CUDA_ERROR_INVALID_VALUE : cuGraphKernelNodeGetParams_v2(node, &found);
    if (result == CUDA_SUCCESS)
        facet_kernel_params_back(&found, params);
    return facet_finish(result);
}

cudaError_t facet_cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *given)
{
    CUgraphNodeParams params;
    cudaError_t error = facet_kernel_params(given, &params);
    return facet_latch(error == cudaSuccess ? facet_error(cuGraphNodeSetParams(node, &params)) : error);
}

cudaError_t facet_cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *given)
{
    CUgraphNodeParams params;
    cudaError_t error = facet_kernel_params(given, &params);
    return facet_latch(error == cudaSuccess ? facet_error(cuGraphExecNodeSetParams(exec, node, &params)) : error);
}

cudaError_t facet_cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *given)
{
    CUgraphNodeParams params;
    cudaError_t error = facet_node_params(given, &params);
    return facet_latch(error == cudaSuccess ? facet_error(cuGraphNodeSetParams(node, &params)) : error);
}

cudaError_t facet_cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *given)
{
    CUgraphNodeParams params;
    cudaError_t error = facet_node_params(given, &params);
    return facet_latch(error == cudaSuccess ? facet_error(cuGraphExecNodeSetParams(exec, node, &params)) : error);
}

SAME(cudaGraphKernelNodeGetAttribute, cuGraphKernelNodeGetAttribute, (cudaGraphNode_t node, int attribute, cudaLaunchAttributeValue *value),
     (node, attribute, (void *)value))
SAME(cudaGraphKernelNodeSetAttribute, cuGraphKernelNodeSetAttribute, (cudaGraphNode_t node, int attribute, const cudaLaunchAttributeValue *value),
     (node, attribute, (const void *)value))
SAME(cudaGraphKernelNodeCopyAttributes, cuGraphKernelNodeCopyAttributes, (cudaGraphNode_t destination, cudaGraphNode_t source), (destination, source))
SAME(cudaGraphMemsetNodeGetParams, cuGraphMemsetNodeGetParams, (cudaGraphNode_t node, CUDA_MEMSET_NODE_PARAMS_v1 *params), (node, params))
SAME(cudaGraphMemsetNodeSetParams, cuGraphMemsetNodeSetParams, (cudaGraphNode_t node, const CUDA_MEMSET_NODE_PARAMS_v1 *params), (node, params))
SAME(cudaGraphHostNodeGetParams, cuGraphHostNodeGetParams, (cudaGraphNode_t node, CUDA_HOST_NODE_PARAMS_v1 *params), (node, params))
SAME(cudaGraphHostNodeSetParams, cuGraphHostNodeSetParams, (cudaGraphNode_t node, const CUDA_HOST_NODE_PARAMS_v1 *params), (node, params))
SAME(cudaGraphEventRecordNodeGetEvent, cuGraphEventRecordNodeGetEvent, (cudaGraphNode_t node, cudaEvent_t *event), (node, event))
SAME(cudaGraphEventRecordNodeSetEvent, cuGraphEventRecordNodeSetEvent, (cudaGraphNode_t node, cudaEvent_t event), (node, event))
SAME(cudaGraphEventWaitNodeGetEvent, cuGraphEventWaitNodeGetEvent, (cudaGraphNode_t node, cudaEvent_t *event), (node, event))
SAME(cudaGraphEventWaitNodeSetEvent, cuGraphEventWaitNodeSetEvent, (cudaGraphNode_t node, cudaEvent_t event), (node, event))
SAME(cudaGraphMemAllocNodeGetParams, cuGraphMemAllocNodeGetParams, (cudaGraphNode_t node, CUDA_MEM_ALLOC_NODE_PARAMS_v1 *params), (node, params))
SAME(cudaGraphMemFreeNodeGetParams, cuGraphMemFreeNodeGetParams, (cudaGraphNode_t node, void *address), (node, (CUdeviceptr *)address))
