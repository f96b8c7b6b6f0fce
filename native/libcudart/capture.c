/* Stream capture. Modes, states and flags have the driver's numbers. */
#include "runtime.h"

cudaError_t facet_cudaThreadExchangeStreamCaptureMode(int *mode)
{
    return facet_finish(cuThreadExchangeStreamCaptureMode((CUstreamCaptureMode *)mode));
}

cudaError_t facet_cudaStreamBeginCapture(bool per_thread, cudaStream_t stream, int mode)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamBeginCapture_v2(facet_stream(per_thread, stream), mode) : result);
}

cudaError_t facet_cudaStreamBeginCaptureToGraph(bool per_thread, cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                                const CUgraphEdgeData *data, size_t count, int mode)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuStreamBeginCaptureToGraph(facet_stream(per_thread, stream), graph, dependencies, data, count, mode);
    return facet_finish(result);
}

cudaError_t facet_cudaStreamEndCapture(bool per_thread, cudaStream_t stream, cudaGraph_t *graph)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamEndCapture(facet_stream(per_thread, stream), graph) : result);
}

cudaError_t facet_cudaStreamIsCapturing(bool per_thread, cudaStream_t stream, int *status)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamIsCapturing(facet_stream(per_thread, stream), (CUstreamCaptureStatus *)status) : result);
}

cudaError_t facet_cudaStreamGetCaptureInfo_13(bool per_thread, cudaStream_t stream, int *status, unsigned long long *id, cudaGraph_t *graph,
                                              const cudaGraphNode_t **dependencies, const CUgraphEdgeData **edges, size_t *count)
{
    cuuint64_t number = 0;
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result =
            cuStreamGetCaptureInfo_v3(facet_stream(per_thread, stream), (CUstreamCaptureStatus *)status, &number, graph, dependencies, edges, count);
    if (result == CUDA_SUCCESS && id != NULL)
        *id = number;
    return facet_finish(result);
}

cudaError_t facet_cudaStreamGetCaptureInfo_11(bool per_thread, cudaStream_t stream, int *status, unsigned long long *id, cudaGraph_t *graph,
                                              const cudaGraphNode_t **dependencies, size_t *count)
{
    return facet_cudaStreamGetCaptureInfo_13(per_thread, stream, status, id, graph, dependencies, NULL, count);
}

cudaError_t facet_cudaStreamGetCaptureInfo_10(bool per_thread, cudaStream_t stream, int *status, unsigned long long *id)
{
    return facet_cudaStreamGetCaptureInfo_13(per_thread, stream, status, id, NULL, NULL, NULL, NULL);
}

cudaError_t facet_cudaStreamUpdateCaptureDependencies_13(bool per_thread, cudaStream_t stream, cudaGraphNode_t *nodes, const CUgraphEdgeData *data,
                                                         size_t count, unsigned flags)
{
    return facet_finish(cuStreamUpdateCaptureDependencies_v2(facet_stream(per_thread, stream), nodes, data, count, flags));
}

cudaError_t facet_cudaStreamUpdateCaptureDependencies_12(bool per_thread, cudaStream_t stream, cudaGraphNode_t *nodes, size_t count, unsigned flags)
{
    return facet_cudaStreamUpdateCaptureDependencies_13(per_thread, stream, nodes, NULL, count, flags);
}
