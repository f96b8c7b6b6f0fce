/* Stream capture: calls become nodes of a graph instead of commands.
 *
 * A stream is in at most one capture. It knows the nodes that what comes next depends on; an event that is recorded in
 * it takes these along, and a stream that waits for the event joins the capture with them. */
#ifndef FACET_CAPTURE_H
#define FACET_CAPTURE_H

#include "../event.h"
#include "../launch.h"
#include "../stream.h"
#include "graph.h"

struct facet_capture {
    uint64_t id;
    CUstreamCaptureMode mode;
    const void *thread; /* that began it */
    struct facet_graph *graph;
    bool into; /* a graph of the program's, by cuStreamBeginCaptureToGraph */
    struct facet_stream *origin;
    CUstreamCaptureStatus status;
    struct facet_capture *next;
};

/* How many captures there are: mostly none, and then nobody looks further. */
extern _Atomic int facet_captures;

static inline bool facet_capturing(const struct facet_stream *stream)
{
    return stream != NULL && atomic_load_explicit(&stream->capture, memory_order_acquire) != NULL;
}

/* ---- with the lock of graphs */

/* Adds a node behind what the stream has; the work is the graph's from then on. */
CUresult facet_capture_work(struct facet_stream *stream, struct facet_work *work);
/* Ends what could have come of a capture; gives the error back. */
CUresult facet_capture_refuse(struct facet_stream *stream, CUresult error);
/* For work in the legacy stream: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT when it would depend on a capture, which ends with it. */
CUresult facet_capture_legacy(struct facet_context *context, struct facet_stream *stream);

/* The same question, asked without harm. */
bool facet_capture_implied(struct facet_context *context, const struct facet_stream *stream);
/* One more node that the stream's next depends on. */
CUresult facet_tail_add(struct facet_stream *stream, struct facet_node *node, const CUgraphEdgeData *data);

/* ---- without it */

/* Calls that are no good while a capture is under way, by the rules of its mode; with any in the context
 * when they wait for all of that. */
CUresult facet_capture_unsafe(void);
CUresult facet_capture_waits(const struct facet_context *context);
/* For a call in a stream that cannot be captured. */
CUresult facet_capture_unsupported(struct facet_context *context, struct facet_stream *stream);

/* capture_calls.c: the call becomes a node. */
CUresult facet_capture_launch(struct facet_context *context, struct facet_stream *stream, const CUDA_KERNEL_NODE_PARAMS_v2 *params,
                              const struct facet_launch *launch);
CUresult facet_capture_copy(struct facet_context *context, struct facet_stream *stream, const struct facet_box *box);
CUresult facet_capture_fill(struct facet_context *context, struct facet_stream *stream, const CUDA_MEMSET_NODE_PARAMS_v1 *params);
CUresult facet_capture_function(struct facet_stream *stream, CUhostFn function, void *data);
CUresult facet_capture_allocate(struct facet_context *context, struct facet_stream *stream, uint64_t bytes, CUdeviceptr *address);
CUresult facet_capture_free(struct facet_stream *stream, CUdeviceptr address);

/* capture_events.c */
CUresult facet_capture_record(struct facet_stream *stream, struct facet_event *event, bool external);
CUresult facet_capture_wait(struct facet_context *context, struct facet_stream *stream, struct facet_event *event, bool external);
/* The event is recorded for real, or gone. */
void facet_capture_forget_event(struct facet_event *event);
/* CUDA_ERROR_CAPTURED_EVENT when it was last recorded in a capture. */
CUresult facet_capture_ask_event(struct facet_event *event);

/* The stream is going. */
void facet_capture_forget_stream(struct facet_stream *stream);

#endif
