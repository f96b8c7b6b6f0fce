/* Copies to and from device memory that cannot be touched from here. */
#ifndef FACET_FAR_COPY_H
#define FACET_FAR_COPY_H

#include "copy.h"
#include "memory.h"
#include "touch.h"

struct facet_far_copy {
    struct facet_box box; /* as the program sees it */
    struct facet_side destination, source;
    struct facet_context *context; /* in whose stream it is to happen */
    struct facet_stream *stream;
    struct facet_touch touch; /* other contexts whose memory is read or written from here */
    bool asynchronous;
};

/* At least one side is far. */
CUresult facet_far_copy(const struct facet_far_copy *copy);

/* Copies rows in memory of this process. */
void facet_box_copy(const struct facet_box *box);
/* A copy inside a context, as a command. */
CUresult facet_box_post(struct facet_context *context, const struct facet_box *box, struct facet_stream *stream);

static inline uint64_t facet_box_volume(const struct facet_box *box)
{
    return box->width * box->height * box->depth;
}

#endif
