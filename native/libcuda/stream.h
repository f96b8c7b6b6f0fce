#ifndef FACET_STREAM_H
#define FACET_STREAM_H

#include "client.h"

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

#endif
