/* Between what makes arrays and what copies them. */
#ifndef FACET_CUDART_ARRAY_H
#define FACET_CUDART_ARRAY_H

#include "runtime.h"

struct facet_array_shape {
    CUDA_ARRAY3D_DESCRIPTOR whole;
    struct cudaChannelFormatDesc format;
    size_t element; /* bytes */
};

cudaError_t facet_array_describe(cudaArray_t array, struct facet_array_shape *shape);

/* From the runtime's format to the driver's; false when there is none. */
bool facet_format_known(const struct cudaChannelFormatDesc *wanted, CUarray_format *format, unsigned *channels);
struct cudaChannelFormatDesc facet_format_of(CUarray_format format, unsigned channels);

/* copy_box.c */

/* What a pointer is, by the kind of a copy. Default: the pointer says. */
CUmemorytype facet_source_type(int kind);
CUmemorytype facet_destination_type(int kind);
void facet_set_source(CUDA_MEMCPY3D *box, const void *pointer, size_t pitch, size_t height, CUmemorytype type);
void facet_set_destination(CUDA_MEMCPY3D *box, void *pointer, size_t pitch, size_t height, CUmemorytype type);
/* What a description says; with no depth when there is nothing to copy. */
cudaError_t facet_box_of(const struct cudaMemcpy3DParms *copied, CUDA_MEMCPY3D *into);
cudaError_t facet_copy_box(const CUDA_MEMCPY3D *box, cudaStream_t stream, bool waits);

#endif
