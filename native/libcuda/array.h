#ifndef FACET_ARRAY_H
#define FACET_ARRAY_H

#include "objects.h"

/* Rows of elements in slices. Textures and surfaces do not exist: it is memory that copies reach by row and slice. */
struct facet_array {
    struct facet_object object;
    CUDA_ARRAY3D_DESCRIPTOR descriptor; /* as the program gave it */
    uint64_t address;
    uint64_t width; /* bytes of a row */
    uint64_t rows;  /* of a slice */
    uint64_t slices;
    uint64_t pitch; /* from row to row, also over the end of a slice */
};

#endif
