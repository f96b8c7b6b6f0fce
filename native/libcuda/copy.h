/* Copies: every call becomes a box. */
#ifndef FACET_COPY_H
#define FACET_COPY_H

#include "client.h"

/* Rows of width bytes, height of them in a slice, depth slices. Pitches and slices in bytes. */
struct facet_box {
    uint64_t destination, destination_pitch, destination_slice;
    uint64_t source, source_pitch, source_slice;
    uint64_t width, height, depth;
};

static inline struct facet_box facet_line(uint64_t destination, uint64_t source, uint64_t bytes)
{
    return (struct facet_box){.destination = destination, .source = source, .width = bytes, .height = 1, .depth = 1};
}

/* Copies in the order of a stream. When it is not asynchronous, the data has arrived before it
 * returns, or else nobody but the device can see it. */
CUresult facet_copy(struct facet_box box, bool per_thread, CUstream stream, bool asynchronous);

/* From this size on the host copies while the program goes on; below it telling the host takes longer. */
#define FACET_COPY_SMALL (UINT64_C(64) << 10)

#endif
