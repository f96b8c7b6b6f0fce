#ifndef FACET_STREAM_H
#define FACET_STREAM_H

#include "context.h"
#include "graph/edges.h"

struct facet_capture;

struct facet_stream {
    struct facet_object object; /* the entry with id 0 is never given out: it is the legacy stream */
    unsigned flags;
    int priority;
    _Atomic uint64_t posted; /* of the context, at the last command to this stream */
    _Atomic uint64_t waited; /* the same number, when the stream was last waited for */
    struct facet_waits waits;
    uint64_t unique; /* cuStreamGetId */
    int synchronization_policy;
    struct facet_capture *_Atomic capture; /* that it is in, or NULL; what follows belongs to it */
    struct facet_edges tails;              /* nodes that the next one depends on */
    CUgraphNode *shown;                    /* the same, as the program was last told */
    CUgraphEdgeData *shown_data;
};

/* The bounds of a device's priorities: the least urgent is the larger number. */
struct facet_priorities {
    int least;
    int greatest;
};

struct facet_priorities facet_stream_priorities(const struct facet_context *context);
/* Makes a stream, here and on the host. */
CUresult facet_stream_create(struct facet_context *context, unsigned flags, int priority, struct facet_stream **stream);
/* Lets go of it; its work goes on. */
CUresult facet_stream_destroy(struct facet_stream *stream);

/* thread_stream.c: the default stream of the calling thread in a context, made at first use. */
CUresult facet_thread_stream(struct facet_context *context, struct facet_stream **stream);

/* Finds the context and the stream of a handle: NULL and CU_STREAM_LEGACY are stream 0 of the current
 * context, or the thread's own one when per_thread; CU_STREAM_PER_THREAD is always that. *stream is NULL for
 * the legacy stream. */
CUresult facet_stream_find(CUstream handle, bool per_thread, struct facet_context **context, struct facet_stream **stream);
/* The same, for calls that cannot be captured: the error of those when it is, or depends on a capture. */
CUresult facet_stream_resolve(CUstream handle, bool per_thread, struct facet_context **context, struct facet_stream **stream);
/* Waits for the work of one stream. */
CUresult facet_stream_wait(struct facet_context *context, struct facet_stream *stream);

#endif
