/* Events carry what a captured stream has done to other streams. */
#include <stdlib.h>

#include "capture.h"

CUresult facet_tail_add(struct facet_stream *stream, struct facet_node *node, const CUgraphEdgeData *data)
{
    for (uint32_t i = 0; i < stream->tails.count; i++)
        if (stream->tails.all[i].node == node)
            return CUDA_SUCCESS;
    return facet_edges_put(&stream->tails, node, data);
}

static void forget(struct facet_event *event)
{
    free(event->captured.all);
    event->captured = (struct facet_edges){0};
    atomic_store(&event->capture, 0);
}

void facet_capture_forget_event(struct facet_event *event)
{
    if (atomic_load_explicit(&event->capture, memory_order_acquire) == 0)
        return;
    facet_graph_enter();
    forget(event);
    facet_graph_leave(CUDA_SUCCESS);
}

static CUresult add_event_node(struct facet_stream *stream, struct facet_event *event, CUgraphNodeType type)
{
    struct facet_work work = {.type = type, .context = event->object.context, .event = (CUevent)event};
    return facet_capture_work(stream, &work);
}

static CUresult record(struct facet_stream *stream, struct facet_event *event, bool external)
{
    struct facet_capture *capture = stream->capture;
    if (capture == NULL || capture->status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (external)
        return add_event_node(stream, event, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
    forget(event);
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; result == CUDA_SUCCESS && i < stream->tails.count; i++)
        result = facet_edges_put(&event->captured, stream->tails.all[i].node, &stream->tails.all[i].data);
    atomic_store_explicit(&event->capture, capture->id, memory_order_release);
    return result;
}

CUresult facet_capture_record(struct facet_stream *stream, struct facet_event *event, bool external)
{
    facet_graph_enter();
    return facet_graph_leave(record(stream, event, external));
}

/* A stream of the capture that an event was recorded in; NULL when that is over. */
struct search {
    uint64_t id;
    struct facet_capture *found;
};

static void find(void *object, void *data)
{
    struct facet_stream *stream = object;
    struct search *search = data;
    if (stream->capture != NULL && stream->capture->id == search->id)
        search->found = stream->capture;
}

static CUresult wait_for(struct facet_context *context, struct facet_stream *stream, struct facet_event *event, bool external)
{
    struct search search = {.id = atomic_load(&event->capture)};
    if (search.id == 0 || external) {
        if (!facet_capturing(stream))
            return CUDA_ERROR_INVALID_VALUE;
        if (external)
            return add_event_node(stream, event, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
        /* One that was never recorded is nothing to wait for. */
        return atomic_load(&event->recorded) ? facet_capture_refuse(stream, CUDA_ERROR_STREAM_CAPTURE_ISOLATION) : CUDA_SUCCESS;
    }
    facet_object_each(FACET_STREAM, NULL, find, &search);
    struct facet_capture *capture = search.found;
    if (capture == NULL)
        return facet_capture_refuse(stream, CUDA_ERROR_CAPTURED_EVENT);
    if (capture->status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (stream == NULL) {
        capture->status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    if (stream->capture != NULL && stream->capture != capture) {
        capture->status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
        return facet_capture_refuse(stream, CUDA_ERROR_STREAM_CAPTURE_MERGE);
    }
    if (stream->capture == NULL) {
        stream->tails = (struct facet_edges){0};
        atomic_store_explicit(&stream->capture, capture, memory_order_release);
    }
    (void)context;
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; result == CUDA_SUCCESS && i < event->captured.count; i++)
        result = facet_tail_add(stream, event->captured.all[i].node, &event->captured.all[i].data);
    return result;
}

CUresult facet_capture_wait(struct facet_context *context, struct facet_stream *stream, struct facet_event *event, bool external)
{
    facet_graph_enter();
    return facet_graph_leave(wait_for(context, stream, event, external));
}

CUresult facet_capture_ask_event(struct facet_event *event)
{
    if (atomic_load_explicit(&event->capture, memory_order_acquire) == 0)
        return CUDA_SUCCESS;
    facet_graph_enter();
    struct search search = {.id = atomic_load(&event->capture)};
    facet_object_each(FACET_STREAM, NULL, find, &search);
    if (search.found != NULL)
        search.found->status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    return facet_graph_leave(CUDA_ERROR_CAPTURED_EVENT);
}
