/* Copies: every call becomes a box. */
#ifndef FACET_COPY_H
#define FACET_COPY_H

#include "memory.h"

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

/* Bytes from the first to the last of rows in slices; false when no address space has so many. */
static inline bool facet_span(uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch, uint64_t slice, uint64_t *span)
{
    uint64_t rows, slices;
    return !__builtin_mul_overflow(height - 1, pitch, &rows) && !__builtin_mul_overflow(depth - 1, slice, &slices) &&
           !__builtin_add_overflow(rows, slices, span) && !__builtin_add_overflow(*span, width, span);
}

/* copy_box.c: what a description says, checked. */
CUresult facet_box_of(const CUDA_MEMCPY3D *copy, struct facet_box *box);
/* Where its two sides lie. CUDA_ERROR_INVALID_VALUE when one is not all in one allocation. */
CUresult facet_box_sides(const struct facet_box *box, struct facet_side *destination, struct facet_side *source);
/* Makes one row of rows without gaps, and one slice of slices. */
void facet_box_flatten(struct facet_box *box);

/* Copies in the order of a stream. When it is not asynchronous, the data has arrived before it
 * returns, or else nobody but the device can see it. */
CUresult facet_copy(struct facet_box box, bool per_thread, CUstream stream, bool asynchronous);

/* From this size on the host copies while the program goes on; below it telling the host takes longer. */
#define FACET_COPY_SMALL (UINT64_C(64) << 10)

#endif
