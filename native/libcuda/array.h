#ifndef FACET_ARRAY_H
#define FACET_ARRAY_H

#include "objects.h"

enum { FACET_MOST_LEVELS = 32 };

/* Rows of elements in slices, with a pitch: linear memory that copies, textures and surfaces reach by row and slice. */
struct facet_array {
    struct facet_object object;
    CUDA_ARRAY3D_DESCRIPTOR descriptor; /* as the program gave it */
    uint64_t address;
    uint64_t width; /* bytes of a row */
    uint64_t rows;  /* of a slice */
    uint64_t slices;
    uint64_t pitch; /* from row to row, also over the end of a slice */
    uint64_t bytes; /* of all of it */
    bool is_level;  /* of a mipmapped array, whose memory it shares */
    bool empty;     /* it was to get its memory later: CUDA_ARRAY3D_DEFERRED_MAPPING */
};

/* Arrays of half the size each, in one piece of memory. */
struct facet_mipmap {
    struct facet_object object;
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    uint64_t address, bytes;
    bool empty;
    unsigned count;
    struct facet_array *levels[FACET_MOST_LEVELS];
};

/* Bytes of a channel; 0 for formats in which channels are packed. */
unsigned facet_format_bytes(CUarray_format format);
/* Rows start at multiples of it, as in pitched memory. */
enum { FACET_ARRAY_PITCH = 512 };

/* Whether there can be such an array. */
CUresult facet_array_check(const CUDA_ARRAY3D_DESCRIPTOR *wanted);
/* One that has memory; NULL when there is none such. */
struct facet_array *facet_array_filled(CUarray handle);
/* How it lies in memory from address on, and how many bytes that takes; false: more than can be counted. */
bool facet_array_lay_out(struct facet_array *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted, uint64_t *bytes);

#endif
