/* Memory that the slice may have and the device has no room for. */
#ifndef FACET_DIRECT_OVERSUBSCRIBE_H
#define FACET_DIRECT_OVERSUBSCRIBE_H

#include <stddef.h>

#include "work.h"

/* Managed memory in the place of the device's, which the vendor has refused: its pages lie on the device while there is room, and in host memory else.
 * The caller has reserved it in the ledger. CUDA_ERROR_OUT_OF_MEMORY where the device cannot use memory that is not on it. */
CUresult facet_oversubscribe(const struct facet_where *where, CUdeviceptr *address, size_t bytes);

#endif
