/* Nodes that copy: from and to pointers, variables, boxes. */
#include <string.h>

#include "array.h"
#include "graph.h"

static cudaError_t line(void *destination, const void *source, size_t bytes, int kind, CUgraphNodeParams *params)
{
    memset(params, 0, sizeof *params);
    params->type = CU_GRAPH_NODE_TYPE_MEMCPY;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    CUDA_MEMCPY3D *box = &params->memcpy.copyParams;
    facet_set_source(box, source, bytes, 1, facet_source_type(kind));
    facet_set_destination(box, destination, bytes, 1, facet_destination_type(kind));
    box->WidthInBytes = bytes;
    box->Height = box->Depth = 1;
    return cudaSuccess;
}

static cudaError_t to_symbol(const void *symbol, const void *source, size_t bytes, size_t offset, int kind, CUgraphNodeParams *params)
{
    void *address;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t error = facet_symbol_part(symbol, bytes, offset, &address);
    return error == cudaSuccess ? line(address, source, bytes, kind, params) : error;
}

static cudaError_t from_symbol(void *destination, const void *symbol, size_t bytes, size_t offset, int kind, CUgraphNodeParams *params)
{
    void *address;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t error = facet_symbol_part(symbol, bytes, offset, &address);
    return error == cudaSuccess ? line(destination, address, bytes, kind, params) : error;
}

static cudaError_t add(cudaError_t error, cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                       CUgraphNodeParams *params)
{
    return facet_latch(error == cudaSuccess ? facet_error(cuGraphAddNode_v2(node, graph, dependencies, NULL, count, params)) : error);
}

static cudaError_t set(cudaError_t error, cudaGraphNode_t node, CUgraphNodeParams *params)
{
    return facet_latch(error == cudaSuccess ? facet_error(cuGraphNodeSetParams(node, params)) : error);
}

static cudaError_t set_in(cudaError_t error, cudaGraphExec_t exec, cudaGraphNode_t node, CUgraphNodeParams *params)
{
    return facet_latch(error == cudaSuccess ? facet_error(cuGraphExecNodeSetParams(exec, node, params)) : error);
}

cudaError_t facet_cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                                         const struct cudaMemcpy3DParms *given)
{
    CUgraphNodeParams params;
    return add(facet_copy_params(given, &params), node, graph, dependencies, count, &params);
}

cudaError_t facet_cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                                           void *destination, const void *source, size_t bytes, int kind)
{
    CUgraphNodeParams params;
    return add(line(destination, source, bytes, kind, &params), node, graph, dependencies, count, &params);
}

cudaError_t facet_cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                                                 const void *symbol, const void *source, size_t bytes, size_t offset, int kind)
{
    CUgraphNodeParams params;
    return add(to_symbol(symbol, source, bytes, offset, kind, &params), node, graph, dependencies, count, &params);
}

cudaError_t facet_cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                                                   void *destination, const void *symbol, size_t bytes, size_t offset, int kind)
{
    CUgraphNodeParams params;
    return add(from_symbol(destination, symbol, bytes, offset, kind, &params), node, graph, dependencies, count, &params);
}

cudaError_t facet_cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *given)
{
    CUgraphNodeParams params;
    return set(facet_copy_params(given, &params), node, &params);
}

cudaError_t facet_cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *destination, const void *source, size_t bytes, int kind)
{
    CUgraphNodeParams params;
    return set(line(destination, source, bytes, kind, &params), node, &params);
}

cudaError_t facet_cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *source, size_t bytes, size_t offset,
                                                       int kind)
{
    CUgraphNodeParams params;
    return set(to_symbol(symbol, source, bytes, offset, kind, &params), node, &params);
}

cudaError_t facet_cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *destination, const void *symbol, size_t bytes, size_t offset,
                                                         int kind)
{
    CUgraphNodeParams params;
    return set(from_symbol(destination, symbol, bytes, offset, kind, &params), node, &params);
}

cudaError_t facet_cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemcpy3DParms *given)
{
    CUgraphNodeParams params;
    return set_in(facet_copy_params(given, &params), exec, node, &params);
}

cudaError_t facet_cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *destination, const void *source, size_t bytes,
                                                     int kind)
{
    CUgraphNodeParams params;
    return set_in(line(destination, source, bytes, kind, &params), exec, node, &params);
}

cudaError_t facet_cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol, const void *source,
                                                           size_t bytes, size_t offset, int kind)
{
    CUgraphNodeParams params;
    return set_in(to_symbol(symbol, source, bytes, offset, kind, &params), exec, node, &params);
}

cudaError_t facet_cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *destination, const void *symbol,
                                                             size_t bytes, size_t offset, int kind)
{
    CUgraphNodeParams params;
    return set_in(from_symbol(destination, symbol, bytes, offset, kind, &params), exec, node, &params);
}

static int kind_of(CUmemorytype from, CUmemorytype to)
{
    if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    if (from == CU_MEMORYTYPE_HOST)
        return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

static size_t element_of(cudaArray_t array)
{
    struct facet_array_shape shape;
    return array != NULL && facet_array_describe(array, &shape) == cudaSuccess ? shape.element : 1;
}

/* As the program would say it: places in elements of their side. */
cudaError_t facet_cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params)
{
    CUDA_MEMCPY3D box;
    CUresult result = params == NULL ? CUDA_ERROR_INVALID_VALUE : cuGraphMemcpyNodeGetParams(node, &box);
    if (result != CUDA_SUCCESS)
        return facet_finish(result);
    size_t from = element_of(box.srcArray), to = element_of(box.dstArray);
    void *source = box.srcMemoryType == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)box.srcHost : (void *)(uintptr_t)box.srcDevice;
    void *destination = box.dstMemoryType == CU_MEMORYTYPE_HOST ? box.dstHost : (void *)(uintptr_t)box.dstDevice;
    size_t element = box.srcArray != NULL ? from : to;
    *params = (struct cudaMemcpy3DParms){
        .srcArray = box.srcArray,
        .srcPos = {box.srcXInBytes / from, box.srcY, box.srcZ},
        .srcPtr = {source, box.srcPitch, box.srcPitch, box.srcHeight},
        .dstArray = box.dstArray,
        .dstPos = {box.dstXInBytes / to, box.dstY, box.dstZ},
        .dstPtr = {destination, box.dstPitch, box.dstPitch, box.dstHeight},
        .extent = {box.WidthInBytes / element, box.Height, box.Depth},
        .kind = kind_of(box.srcMemoryType, box.dstMemoryType),
    };
    return cudaSuccess;
}
