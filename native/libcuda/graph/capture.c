/* Beginning, ending and looking at captures. */
#include "capture.h"

#include <stdlib.h>

_Atomic int facet_captures;
static struct facet_capture *first;
static uint64_t last_id;

static _Thread_local CUstreamCaptureMode thread_mode;

/* ---- inside */

static void leave(struct facet_stream *stream)
{
    free(stream->tails.all);
    stream->tails = (struct facet_edges){0};
    free(stream->shown);
    free(stream->shown_data);
    stream->shown = NULL;
    stream->shown_data = NULL;
    atomic_store_explicit(&stream->capture, NULL, memory_order_release);
}

static void leave_if(void *object, void *data)
{
    struct facet_stream *stream = object;
    if (stream->capture == data)
        leave(stream);
}

static void finish(struct facet_capture *capture)
{
    facet_object_each(FACET_STREAM, NULL, leave_if, capture);
    for (struct facet_capture **place = &first; *place != NULL; place = &(*place)->next)
        if (*place == capture) {
            *place = capture->next;
            break;
        }
    if (capture->graph != NULL)
        capture->graph->capture = NULL;
    free(capture);
    atomic_fetch_sub(&facet_captures, 1);
}

CUresult facet_capture_refuse(struct facet_stream *stream, CUresult error)
{
    if (facet_capturing(stream))
        stream->capture->status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    return error;
}

static bool fits_in_body(const struct facet_graph *graph, CUgraphNodeType type)
{
    bool body = false;
    for (; graph != NULL; graph = graph->parent)
        body = body || graph->body;
    return !body || type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMSET || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
           type == CU_GRAPH_NODE_TYPE_GRAPH || type == CU_GRAPH_NODE_TYPE_EMPTY;
}

CUresult facet_capture_work(struct facet_stream *stream, struct facet_work *work)
{
    struct facet_capture *capture = stream->capture;
    if (capture == NULL || capture->status != CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        facet_work_free(work);
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    if (!fits_in_body(capture->graph, work->type) || capture->graph->count >= FACET_GRAPH_NODES) {
        facet_work_free(work);
        return facet_capture_refuse(stream, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    struct facet_node *node;
    CUresult result = facet_node_new(capture->graph, work, &node);
    for (uint32_t i = 0; result == CUDA_SUCCESS && i < stream->tails.count; i++)
        result = facet_edge_add(stream->tails.all[i].node, node, &stream->tails.all[i].data);
    stream->tails.count = 0;
    if (result == CUDA_SUCCESS)
        result = facet_edges_put(&stream->tails, node, NULL);
    return result == CUDA_SUCCESS ? result : facet_capture_refuse(stream, result);
}

/* ---- rules */

struct blocking {
    bool invalidates;
    bool found;
};

static void look_at(void *object, void *data)
{
    struct facet_stream *stream = object;
    struct blocking *blocking = data;
    if (stream->capture != NULL && (stream->flags & CU_STREAM_NON_BLOCKING) == 0) {
        blocking->found = true;
        if (blocking->invalidates)
            stream->capture->status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    }
}

CUresult facet_capture_legacy(struct facet_context *context, struct facet_stream *stream)
{
    if (stream != NULL || atomic_load_explicit(&facet_captures, memory_order_relaxed) == 0)
        return CUDA_SUCCESS;
    struct blocking blocking = {.invalidates = true};
    facet_object_each(FACET_STREAM, context, look_at, &blocking);
    return blocking.found ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
}

bool facet_capture_implied(struct facet_context *context, const struct facet_stream *stream)
{
    struct blocking blocking = {.invalidates = false};
    if (stream == NULL && atomic_load_explicit(&facet_captures, memory_order_relaxed) != 0)
        facet_object_each(FACET_STREAM, context, look_at, &blocking);
    return blocking.found;
}

static CUresult unsafe(void)
{
    CUresult result = CUDA_SUCCESS;
    for (struct facet_capture *each = first; each != NULL && thread_mode != CU_STREAM_CAPTURE_MODE_RELAXED; each = each->next) {
        bool own = each->thread == &thread_mode && each->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
        bool others = thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL && each->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
        if (own || others) {
            each->status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
            result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
    }
    return result;
}

CUresult facet_capture_unsafe(void)
{
    if (atomic_load_explicit(&facet_captures, memory_order_relaxed) == 0)
        return CUDA_SUCCESS;
    facet_graph_enter();
    return facet_graph_leave(unsafe());
}

CUresult facet_capture_waits(const struct facet_context *context)
{
    if (atomic_load_explicit(&facet_captures, memory_order_relaxed) == 0)
        return CUDA_SUCCESS;
    facet_graph_enter();
    CUresult result = unsafe();
    for (struct facet_capture *each = first; each != NULL; each = each->next)
        if (each->origin->object.context == context) {
            each->status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
            result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
    return facet_graph_leave(result);
}

CUresult facet_capture_unsupported(struct facet_context *context, struct facet_stream *stream)
{
    if (atomic_load_explicit(&facet_captures, memory_order_relaxed) == 0)
        return CUDA_SUCCESS;
    facet_graph_enter();
    CUresult result =
        facet_capturing(stream) ? facet_capture_refuse(stream, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) : facet_capture_legacy(context, stream);
    return facet_graph_leave(result);
}

void facet_capture_forget_stream(struct facet_stream *stream)
{
    if (!facet_capturing(stream))
        return;
    facet_graph_enter();
    struct facet_capture *capture = stream->capture;
    if (capture != NULL && capture->origin == stream) {
        struct facet_graph *graph = capture->into ? NULL : capture->graph;
        finish(capture);
        if (graph != NULL)
            facet_graph_free(graph);
    } else if (capture != NULL) {
        leave(stream); /* a branch that came back is no loss; one that did not is found at the end */
    }
    facet_graph_leave(CUDA_SUCCESS);
}

/* ---- calls */

static CUresult begin(struct facet_stream *stream, struct facet_graph *graph, bool into, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                      size_t count, CUstreamCaptureMode mode)
{
    if (stream == NULL)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED; /* the legacy stream depends on others in ways that no graph has */
    if ((int)mode < CU_STREAM_CAPTURE_MODE_GLOBAL || (int)mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    if (stream->capture != NULL)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (into && (graph == NULL || graph->capture != NULL))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = into ? facet_edges_check(graph, dependencies, data, count) : CUDA_SUCCESS;
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_capture *capture = calloc(1, sizeof *capture);
    graph = into || capture == NULL ? graph : facet_graph_new();
    if (capture == NULL || graph == NULL) {
        free(capture);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *capture = (struct facet_capture){.id = ++last_id,
                                      .mode = mode,
                                      .thread = &thread_mode,
                                      .graph = graph,
                                      .into = into,
                                      .origin = stream,
                                      .status = CU_STREAM_CAPTURE_STATUS_ACTIVE,
                                      .next = first};
    first = capture;
    graph->capture = capture;
    stream->tails = (struct facet_edges){0};
    for (size_t i = 0; i < count; i++)
        facet_edges_put(&stream->tails, facet_node_of(dependencies[i]), data == NULL ? NULL : &data[i]);
    atomic_fetch_add(&facet_captures, 1);
    atomic_store_explicit(&stream->capture, capture, memory_order_release);
    return CUDA_SUCCESS;
}

static CUresult begin_in(bool per_thread, CUstream handle, CUgraph graph, bool into, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                         size_t count, CUstreamCaptureMode mode)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_find(handle, per_thread, &context, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    facet_graph_enter();
    return facet_graph_leave(begin(stream, into ? facet_graph_of(graph) : NULL, into, dependencies, data, count, mode));
}

CUresult facet_cuStreamBeginCapture_v2(bool per_thread, CUstream stream, CUstreamCaptureMode mode)
{
    return begin_in(per_thread, stream, NULL, false, NULL, NULL, 0, mode);
}

CUresult facet_cuStreamBeginCapture(bool per_thread, CUstream stream)
{
    return facet_cuStreamBeginCapture_v2(per_thread, stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult facet_cuStreamBeginCaptureToGraph(bool per_thread, CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
                                           const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode)
{
    return begin_in(per_thread, stream, graph, true, dependencies, data, count, mode);
}

static bool among(const struct facet_edges *edges, const struct facet_node *node)
{
    for (uint32_t i = 0; i < edges->count; i++)
        if (edges->all[i].node == node)
            return true;
    return false;
}

/* Whether every branch of a capture has come back to the stream that it began in. */
static bool joined(const struct facet_capture *capture)
{
    for (const struct facet_node *node = capture->graph->first; node != NULL; node = node->next)
        if (node->after.count == 0 && !among(&capture->origin->tails, node) && !capture->into)
            return false;
    return true;
}

struct branches {
    const struct facet_capture *capture;
    bool open;
};

/* In a graph of the program's there are nodes of others: only the streams are looked at. */
static void look_for_branch(void *object, void *data)
{
    const struct facet_stream *stream = object;
    struct branches *branches = data;
    if (stream->capture == branches->capture)
        for (uint32_t i = 0; i < stream->tails.count; i++) {
            const struct facet_node *node = stream->tails.all[i].node;
            branches->open |= node->after.count == 0 && !among(&branches->capture->origin->tails, node);
        }
}

static CUresult end(struct facet_stream *stream, CUgraph *handle)
{
    if (handle != NULL)
        *handle = NULL;
    struct facet_capture *capture = stream == NULL ? NULL : stream->capture;
    if (capture == NULL)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->origin != stream)
        return facet_capture_refuse(stream, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != &thread_mode)
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    struct branches branches = {.capture = capture};
    facet_object_each(FACET_STREAM, NULL, look_for_branch, &branches);
    CUresult result = capture->status != CU_STREAM_CAPTURE_STATUS_ACTIVE ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                      : branches.open || !joined(capture)                ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED
                                                                         : CUDA_SUCCESS;
    struct facet_graph *graph = capture->graph;
    bool into = capture->into;
    finish(capture);
    if (result == CUDA_SUCCESS && handle != NULL)
        *handle = (CUgraph)graph;
    else if (!into) /* nobody has it */
        facet_graph_free(graph);
    return result;
}

CUresult facet_cuStreamEndCapture(bool per_thread, CUstream handle, CUgraph *graph)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_find(handle, per_thread, &context, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    facet_graph_enter();
    return facet_graph_leave(end(stream, graph));
}

CUresult facet_cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    if ((int)*mode < CU_STREAM_CAPTURE_MODE_GLOBAL || (int)*mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    CUstreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}
