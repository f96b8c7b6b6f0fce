/* What allocations count against. */
#ifndef FACET_QUOTA_H
#define FACET_QUOTA_H

#include "client.h"

/* Before memory of a kind is taken: CUDA_ERROR_OUT_OF_MEMORY when there is no room for it. */
CUresult facet_quota_claim(const struct facet_context *context, uint32_t kind, uint64_t bytes);
/* After the host was told that it is free. */
void facet_quota_release(const struct facet_context *context, uint32_t kind, uint64_t bytes);

#endif
