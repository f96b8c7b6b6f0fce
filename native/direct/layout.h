/* How much the vendor's driver needs for an array. */
#ifndef FACET_DIRECT_LAYOUT_H
#define FACET_DIRECT_LAYOUT_H

#include <stdint.h>

#include "facet_cuda.h"

/* With the padding of its rows and levels, as the driver tells; least, which is what its elements need, where it does not tell or tells less. levels:
 * 0 for an array that is no mipmap. */
uint64_t facet_layout_bytes(const CUDA_ARRAY3D_DESCRIPTOR *wanted, unsigned int levels, uint64_t least);

#endif
