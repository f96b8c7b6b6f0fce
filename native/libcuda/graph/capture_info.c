/* What a program may ask of a capture, and change in it by hand. */
#include <stdlib.h>

#include "capture.h"

struct answer {
    CUstreamCaptureStatus *status;
    cuuint64_t *id;
    CUgraph *graph;
    const CUgraphNode **dependencies;
    const CUgraphEdgeData **data;
    size_t *count;
};

/* What is shown stays there until the stream is asked again. */
static bool show(struct facet_stream *stream)
{
    CUgraphNode *nodes = realloc(stream->shown, (stream->tails.count + 1) * sizeof *nodes);
    if (nodes != NULL)
        stream->shown = nodes;
    CUgraphEdgeData *data = realloc(stream->shown_data, (stream->tails.count + 1) * sizeof *data);
    if (data != NULL)
        stream->shown_data = data;
    if (nodes == NULL || data == NULL)
        return false;
    for (uint32_t i = 0; i < stream->tails.count; i++) {
        stream->shown[i] = (CUgraphNode)stream->tails.all[i].node;
        stream->shown_data[i] = stream->tails.all[i].data;
    }
    return true;
}

static CUresult ask(struct facet_context *context, struct facet_stream *stream, const struct answer *answer)
{
    struct facet_capture *capture = stream == NULL ? NULL : stream->capture;
    *answer->status = capture == NULL ? CU_STREAM_CAPTURE_STATUS_NONE : capture->status;
    if (capture == NULL)
        return facet_capture_implied(context, stream) ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
    if (capture->status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return CUDA_SUCCESS;
    if (answer->id != NULL)
        *answer->id = capture->id;
    if (answer->graph != NULL)
        *answer->graph = (CUgraph)capture->graph;
    if (!show(stream))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (answer->dependencies != NULL)
        *answer->dependencies = stream->shown;
    if (answer->data != NULL)
        *answer->data = stream->shown_data;
    if (answer->count != NULL)
        *answer->count = stream->tails.count;
    return CUDA_SUCCESS;
}

static CUresult info(bool per_thread, CUstream handle, const struct answer *answer)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_find(handle, per_thread, &context, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    facet_graph_enter();
    return facet_graph_leave(ask(context, stream, answer));
}

CUresult facet_cuStreamIsCapturing(bool per_thread, CUstream stream, CUstreamCaptureStatus *status)
{
    return info(per_thread, stream, &(struct answer){.status = status});
}

CUresult facet_cuStreamGetCaptureInfo(bool per_thread, CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id)
{
    return info(per_thread, stream, &(struct answer){.status = status, .id = id});
}

CUresult facet_cuStreamGetCaptureInfo_v2(bool per_thread, CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                         const CUgraphNode **dependencies, size_t *count)
{
    return info(per_thread, stream, &(struct answer){.status = status, .id = id, .graph = graph, .dependencies = dependencies, .count = count});
}

CUresult facet_cuStreamGetCaptureInfo_v3(bool per_thread, CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                         const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count)
{
    return info(per_thread, stream,
                &(struct answer){.status = status, .id = id, .graph = graph, .dependencies = dependencies, .data = data, .count = count});
}

static CUresult update(struct facet_stream *stream, const CUgraphNode *nodes, const CUgraphEdgeData *data, size_t count, unsigned flags)
{
    struct facet_capture *capture = stream == NULL ? NULL : stream->capture;
    if (capture == NULL)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    CUresult result = flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES ? CUDA_ERROR_INVALID_VALUE : facet_edges_check(capture->graph, nodes, data, count);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        stream->tails.count = 0;
    for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++)
        result = facet_tail_add(stream, facet_node_of(nodes[i]), data == NULL ? NULL : &data[i]);
    return result;
}

CUresult facet_cuStreamUpdateCaptureDependencies_v2(bool per_thread, CUstream handle, CUgraphNode *nodes, const CUgraphEdgeData *data, size_t count,
                                                    unsigned int flags)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_find(handle, per_thread, &context, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    facet_graph_enter();
    return facet_graph_leave(update(stream, nodes, data, count, flags));
}

CUresult facet_cuStreamUpdateCaptureDependencies(bool per_thread, CUstream stream, CUgraphNode *nodes, size_t count, unsigned int flags)
{
    return facet_cuStreamUpdateCaptureDependencies_v2(per_thread, stream, nodes, NULL, count, flags);
}
